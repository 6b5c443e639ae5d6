import { describe, expect, it } from "vitest";
import { chances, winning } from "./chances";

describe("the chances to win", () => {
  it("are even at a score of 0 and the same for both sides", () => {
    expect(winning(0)).toBe(50);
    expect(winning(150) + winning(-150)).toBeCloseTo(100);
    expect(winning(100)).toBeCloseTo(59.1, 1);
  });

  it("follow a game ply by ply", () => {
    const curve = chances([{ eval: 0 }, { mate: -2 }, { mate: 3 }, {}]);
    expect(curve.map(({ ply }) => ply)).toEqual([0, 1, 2, 3, 4]);
    expect(curve.map(({ win }) => win)).toEqual([50, 50, 0, 100, 100]);
  });
});
