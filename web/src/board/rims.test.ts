import { describe, expect, it } from "vitest";
import { picture, turnFor } from "./geometry";
import { rims } from "./rims";
import type { Cell } from "./types";

const square = (name: string, x: number, y: number): Cell => ({
  name, x, y, outline: [[x - 0.5, y - 0.5], [x + 0.5, y - 0.5], [x + 0.5, y + 0.5], [x - 0.5, y + 0.5]],
});
const cells = [square("a1", 0, 1), square("b1", 1, 1), square("a2", 0, 0), square("b2", 1, 0)];

describe("rims", () => {
  const texts = (seat: number): string[] => rims(picture(cells, turnFor(seat, 2))).map(({ text }) => text).sort();
  it("writes files below and ranks at the left", () => {
    const list = rims(picture(cells, 0));
    expect(list.filter(({ text }) => text === "a" || text === "b").every(({ y }) => y > 100)).toBe(true);
    expect(list.filter(({ text }) => text === "1" || text === "2").every(({ x }) => x < 100)).toBe(true);
    expect(texts(0)).toEqual(["1", "2", "a", "b"]);
  });
  it("writes them at the lower and left edge of a turned board too", () => {
    expect(texts(1)).toEqual(["1", "2", "a", "b"]);
  });
  it("writes ranks below where a board for four is turned by a quarter", () => {
    const list = rims(picture(cells, turnFor(1, 4)));
    expect(list.filter(({ key }) => key.startsWith("f")).map(({ text }) => text).sort()).toEqual(["1", "2"]);
    expect(list.filter(({ key }) => key.startsWith("r")).map(({ text }) => text).sort()).toEqual(["a", "b"]);
  });
  it("names every cell where cells are no squares", () => {
    const corner = (i: number): readonly [number, number] => [Math.cos((i * Math.PI) / 3) * 0.577, Math.sin((i * Math.PI) / 3) * 0.577];
    const hexagon: Cell = { name: "f6", x: 0, y: 0, outline: [0, 1, 2, 3, 4, 5].map(corner) };
    expect(rims(picture([hexagon], 0)).map(({ text }) => text)).toEqual(["f6"]);
  });
});
