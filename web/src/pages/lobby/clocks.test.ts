import { describe, expect, it } from "vitest";
import { minutesAllowed, secondsAllowed } from "../../parts/terms";
import { quickClocks, speedOf } from "./clocks";

describe("speedOf", () => {
  it.each([[0.25, 0, "UltraBullet"], [0.5, 0, "Bullet"], [2, 1, "Bullet"], [3, 0, "Blitz"], [5, 3, "Blitz"], [8, 0, "Rapid"], [15, 10, "Rapid"], [25, 0, "Classical"], [0, 180, "Classical"]])(
    "%d+%d is %s", (minutes, seconds, want) => expect(speedOf(minutes, seconds)).toBe(want),
  );
});

describe("quickClocks", () => {
  it("are such as the server takes, the shorter first, each once", () => {
    for (const { minutes, seconds } of quickClocks) {
      expect(minutesAllowed).toContain(minutes);
      expect(secondsAllowed).toContain(seconds);
    }
    const lasting = quickClocks.map(({ minutes, seconds }) => minutes * 60 + seconds * 40);
    expect(lasting).toEqual([...new Set(lasting)].sort((a, b) => a - b));
  });
});
