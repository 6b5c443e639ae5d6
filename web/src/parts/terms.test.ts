import { describe, expect, it } from "vitest";
import { challengeFields, usualTerms } from "./terms";

describe("challengeFields", () => {
  it.each([
    ["a clock in seconds", {}, { variant: "spartan", color: "random", rated: false, "clock.limit": 600, "clock.increment": 5 }],
    ["a delay", { extra: "delay" as const }, { variant: "spartan", color: "random", rated: false, "clock.limit": 600, "clock.increment": 0, "clock.delay": 5 }],
    ["periods", { extra: "byoyomi" as const, seconds: 30 }, { variant: "spartan", color: "random", rated: false, "clock.limit": 600, "clock.increment": 0, "clock.byoyomi": 30, "clock.periods": 3 }],
    ["days", { time: "days" as const }, { variant: "spartan", color: "random", rated: false, days: 3 }],
    ["no clock", { time: "none" as const }, { variant: "spartan", color: "random", rated: false }],
    ["a position is never rated", { time: "none" as const, rated: true, fen: " x " }, { variant: "spartan", color: "random", rated: false, fen: "x" }],
  ])("%s", (_, part, want) => {
    expect(challengeFields({ ...usualTerms, variant: "spartan", ...part })).toEqual(want);
  });
  it("has the names of the websocket too", () => {
    expect(challengeFields({ ...usualTerms, variant: "spartan" }, "")).toEqual({ variant: "spartan", color: "random", rated: false, limit: 600, increment: 5 });
  });
});
