import { describe, expect, it } from "vitest";
import { arrow, cellAt, cellsIn, neighbour, othersOf, picture, trail, turnFor } from "./geometry";
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
    // Who sits on the left has the left file at the lower edge.
    expect(board.byName.get("a1")?.y).toBeGreaterThan(board.byName.get("c1")?.y ?? Infinity);
  });
});

describe("othersOf", () => {
  it("has the others in the order of their turns", () => {
    expect(othersOf(1, 2)).toEqual([0]);
    expect(othersOf(2, 4)).toEqual([3, 0, 1]);
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

describe("lines and rooms", () => {
  it("turns the lines with the board", () => {
    expect(picture(cells, 0, [[0, 1, 2, 1]]).lines).toBe("M50 150L250 150");
    expect(picture(cells, 180, [[0, 1, 2, 1]]).lines).toBe("M250 50L50 50");
  });
  it("measures how large a man may be", () => {
    expect(picture(cells, 0).byName.get("a1")?.room).toBe(1);
    const narrow = { ...square("x1", 0, 0), outline: [[-0.25, -0.5], [0.25, -0.5], [0.25, 0.5], [-0.25, 0.5]] as const };
    expect(picture([narrow], 0).byName.get("x1")?.room).toBe(0.5);
  });
});

describe("trail", () => {
  it("leads through the cells of a path and leaves out what is beside the board", () => {
    const board = picture(cells, 0);
    expect(trail(board, ["a1", "b1", "b2"])).toBe("M50 150L150 150L150 50");
    expect(trail(board, ["hand:P", "b1"])).toBe("");
  });
});

describe("cellsIn", () => {
  it.each([
    ["e2e4", ["e2", "e4"]],
    ["a9a10", ["a9", "a10"]],
    ["Aa1Cb2", ["Aa1", "Cb2"]],
    ["n-B@e4", ["e4"]],
    ["a9e4q", ["a9", "e4"]],
    ["e2e4,e4e2", ["e2", "e4", "e4", "e2"]],
    ["----", []],
  ] as const)("of %s", (move, want) => {
    expect(cellsIn(move, ["a1", "a9", "a10", "b2", "e2", "e4", "Aa1", "Cb2"])).toEqual(want);
  });
});
