import { describe, expect, it } from "vitest";
import { chances } from "./chances";

describe("the chances to win", () => {
  it("follow a game ply by ply", () => {
    const curve = chances([{ eval: 100 }, { mate: -2 }, { mate: 3 }, {}]);
    expect(curve.map(({ ply }) => ply)).toEqual([0, 1, 2, 3, 4]);
    expect(curve.map(({ win }) => Math.round(win))).toEqual([50, 59, 0, 100, 100]);
  });
});
