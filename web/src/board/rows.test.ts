import { describe, expect, it } from "vitest";
import { rowsOf } from "./rows";

const cells = ["a1", "b1", "a2", "b2"].map((name) => {
  const [x, y] = [name.charCodeAt(0) - 96.5, 2.5 - Number(name[1])];
  return { name, x, y, shade: 0, outline: [[x - 0.5, y - 0.5], [x + 0.5, y - 0.5], [x + 0.5, y + 0.5], [x - 0.5, y + 0.5]] };
});

describe("rowsOf", () => {
  it("lists the far row first", () => {
    expect(rowsOf(cells, 0, 2)).toEqual([{ name: "2", cells: ["a2", "b2"] }, { name: "1", cells: ["a1", "b1"] }]);
  });
  it("turns with the seat", () => {
    expect(rowsOf(cells, 1, 2)).toEqual([{ name: "1", cells: ["b1", "a1"] }, { name: "2", cells: ["b2", "a2"] }]);
  });
});
