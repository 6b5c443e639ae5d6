import { describe, expect, it } from "vitest";
import { countdown, fallen, halt, leftAt, press } from "./countdown";

describe("countdown", () => {
  const start = press(countdown(60_000, 2000, 2), 1, 1000);
  it("runs for one seat only", () => {
    expect(leftAt(start, 0, 11_000)).toBe(60_000);
    expect(leftAt(start, 1, 11_000)).toBe(50_000);
  });
  it("gives the increment to whoever has moved", () => {
    const next = press(start, 0, 11_000);
    expect(next.left).toEqual([60_000, 52_000]);
    expect(leftAt(next, 0, 12_000)).toBe(59_000);
  });
  it("runs on within a turn of several moves", () => {
    const still = press(start, 1, 11_000);
    expect(leftAt(still, 1, 12_000)).toBe(49_000);
  });
  it("falls when the time is up, and not below", () => {
    expect(fallen(start, 60_999)).toBeUndefined();
    expect(fallen(start, 61_000)).toBe(1);
    expect(leftAt(start, 1, 99_000)).toBe(0);
  });
  it("stands still when halted", () => {
    const still = halt(start, 31_000);
    expect(leftAt(still, 1, 99_000)).toBe(30_000);
    expect(fallen(still, 99_000)).toBeUndefined();
  });
});
