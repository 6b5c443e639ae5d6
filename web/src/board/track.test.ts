import { describe, expect, it } from "vitest";
import { picture } from "./geometry";
import { track, type Tracked } from "./track";
import type { Cell, Man } from "./types";

const row: Cell[] = ["a1", "b1", "c1", "d1"].map((name, x) => ({
  name, x, y: 0, shade: x % 2, outline: [[x - 0.5, -0.5], [x + 0.5, -0.5], [x + 0.5, 0.5], [x - 0.5, 0.5]],
}));
const board = picture(row, 0);
const rook: Man = { side: 0, letter: "R", name: "Rook" };
const foe: Man = { side: 1, letter: "R", name: "Rook" };
const king: Man = { side: 0, letter: "K", name: "King" };
const placed = (...men: [string, Man][]): ReadonlyMap<string, Man> => new Map(men);
const ids = (tracked: readonly Tracked[]): Record<string, number> =>
  Object.fromEntries(tracked.map(({ cell, id }) => [cell, id]));

describe("track", () => {
  const start = track([], placed(["a1", rook], ["b1", king], ["d1", foe]), board);
  it("gives each man an identity", () => {
    expect(ids(start)).toEqual({ a1: 1, b1: 2, d1: 3 });
  });
  it("follows a man that moves", () => {
    expect(ids(track(start, placed(["c1", rook], ["b1", king], ["d1", foe]), board))).toEqual({ c1: 1, b1: 2, d1: 3 });
  });
  it("follows the captor, not the captured", () => {
    expect(ids(track(start, placed(["b1", king], ["d1", rook]), board))).toEqual({ d1: 1, b1: 2 });
  });
  it("follows both men of a castling", () => {
    expect(ids(track(start, placed(["b1", rook], ["a1", king], ["d1", foe]), board))).toEqual({ b1: 1, a1: 2, d1: 3 });
  });
  it("gives a dropped man a new identity", () => {
    expect(ids(track(start, placed(["a1", rook], ["b1", king], ["c1", rook], ["d1", foe]), board)))
      .toEqual({ a1: 1, b1: 2, c1: 4, d1: 3 });
  });
});
