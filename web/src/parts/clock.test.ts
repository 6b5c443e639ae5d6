import { describe, expect, it } from "vitest";
import { clockText, controlText, remaining } from "./clock";

describe("remaining", () => {
  const clock = { left: [60_000, 50_000], running: true, from: 1000 } as const;
  it.each([
    ["counts down for the side to move", 0, 11_000, 50_000],
    ["stands still for the other", 1, 11_000, 50_000],
    ["does not start before it is released", 0, 500, 60_000],
    ["stops at nothing", 0, 99_000, 0],
  ])("%s", (_, seat, now, want) => {
    expect(remaining(clock, seat, 0, now)).toBe(want);
  });
  it("stands still while it does not run", () => {
    expect(remaining({ ...clock, running: false }, 0, 0, 99_000)).toBe(60_000);
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
    [{ type: "correspondence", days: 1 }, "1 day a move"],
    [{ type: "unlimited" }, "no clock"],
  ])("%o is %s", (control, want) => {
    expect(controlText(control)).toBe(want);
  });
});
