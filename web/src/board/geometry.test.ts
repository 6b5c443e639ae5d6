import { describe, expect, it } from "vitest";
import { arrow, cellAt, neighbour, picture, turnFor } from "./geometry";
import type { Cell } from "./types";

const square = (name: string, x: number, y: number): Cell => ({
  name, x, y, shade: (x + y) % 2,
  outline: [[x - 0.5, y - 0.5], [x + 0.5, y - 0.5], [x + 0.5, y + 0.5], [x - 0.5, y + 0.5]],
});

// Three files and two ranks: a2 b2 c2 above a1 b1 c1.
const cells = [
  square("a1", 0, 1), square("b1", 1, 1), square("c1", 2, 1),
  square("a2", 0, 0), square("b2", 1, 0), square("c2", 2, 0),
];

describe("picture", () => {
  it("puts the first player's rank at the bottom", () => {
    const board = picture(cells, 0);
    expect([board.width, board.height]).toEqual([300, 200]);
    expect(board.byName.get("a1")).toMatchObject({ x: 50, y: 150 });
  });
  it("turns the board for the second player", () => {
    expect(picture(cells, turnFor(1, 2)).byName.get("a1")).toMatchObject({ x: 250, y: 50 });
  });
  it("turns a board for four by quarters", () => {
    const board = picture(cells, turnFor(1, 4));
    expect([board.width, board.height]).toEqual([200, 300]);
  });
});

describe("cellAt", () => {
  it("finds the cell under the pointer, and none outside", () => {
    const board = picture(cells, 0);
    expect(cellAt(board, 120, 30)?.name).toBe("b2");
    expect(cellAt(board, 320, 30)).toBeUndefined();
  });
});

describe("neighbour", () => {
  const board = picture(cells, 0);
  it.each([
    ["a1", 1, 0, "b1"],
    ["a1", 0, -1, "a2"],
    ["c2", 0, 1, "c1"],
    ["a1", -1, 0, undefined],
  ] as const)("of %s by (%d, %d) is %s", (from, dx, dy, want) => {
    expect(neighbour(board, from, dx, dy)).toBe(want);
  });
  it("follows the picture when the board is turned", () => {
    expect(neighbour(picture(cells, 180), "a1", -1, 0)).toBe("b1");
  });
});

describe("arrow", () => {
  it("is a closed shape between two cells and a ring on one", () => {
    const board = picture(cells, 0);
    expect(arrow(board, "a1", "c1")).toMatch(/^M.*z$/);
    expect(arrow(board, "a1", "a1")).toContain("a42 42");
    expect(arrow(board, "a1", "z9")).toBe("");
  });
});
