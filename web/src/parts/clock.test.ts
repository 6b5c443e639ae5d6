import { describe, expect, it } from "vitest";
import { clockText, controlText, face } from "./clock";

describe("face", () => {
  const clock = { left: [60_000, 50_000], running: true, from: 1000 };
  const fischer = { type: "clock", increment: 3000 } as const;
  it.each([
    ["counts down for the side to move", 0, 11_000, 50_000],
    ["stands still for the other", 1, 11_000, 50_000],
    ["does not start before it is released", 0, 500, 60_000],
    ["stops at nothing", 0, 99_000, 0],
  ])("%s", (_, seat, now, want) => {
    expect(face(clock, fischer, seat, 0, now).left).toBe(want);
  });
  it("stands still while it does not run", () => {
    expect(face({ ...clock, running: false }, fischer, 0, 0, 99_000).left).toBe(60_000);
  });
  it.each([
    ["waits for the delay", 3000, { left: 60_000, periods: 0, delay: 3000 }],
    ["and counts down after it", 16_000, { left: 50_000, periods: 0, delay: 0 }],
  ])("%s", (_, now, want) => {
    expect(face(clock, { type: "clock", delay: 5000 }, 0, 0, now)).toEqual(want);
  });
  it.each([
    ["keeps its periods while the limit lasts", 11_000, { left: 50_000, periods: 3, delay: 0 }],
    ["goes on in the first period", 71_000, { left: 20_000, periods: 2, delay: 0 }],
    ["and in the last", 130_000, { left: 21_000, periods: 0, delay: 0 }],
    ["and ends after it", 160_000, { left: 0, periods: 0, delay: 0 }],
  ])("%s", (_, now, want) => {
    expect(face({ ...clock, periods: [3, 3] }, { type: "clock", byoyomi: 30_000, periods: 3 }, 0, 0, now)).toEqual(want);
  });
});

describe("texts", () => {
  it.each([
    [0, "0:00.0"], [8_450, "0:08.4"], [10_000, "0:10"], [123_000, "2:03"], [3_723_000, "1:02:03"], [183_600_000, "2 days 3 h"],
  ])("%d ms is %s", (ms, want) => {
    expect(clockText(ms)).toBe(want);
  });
  it.each([
    [{ type: "clock", limit: 300_000, increment: 3000 }, "5+3"],
    [{ type: "clock", limit: 30_000 }, "½+0"],
    [{ type: "clock", limit: 300_000, delay: 3000 }, "5 d3"],
    [{ type: "clock", limit: 600_000, byoyomi: 30_000, periods: 3 }, "10+3×30"],
    [{ type: "correspondence", days: 1 }, "1 day a move"],
    [{ type: "unlimited" }, "no clock"],
  ] as const)("%o is %s", (control, want) => {
    expect(controlText(control)).toBe(want);
  });
});
