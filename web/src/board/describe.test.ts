import { expect, it } from "vitest";
import { describeCell } from "./describe";

const plain = { selected: false, reachable: false, check: false };
const pawn = { side: 0, letter: "P", name: "Pawn" };

it.each([
  ["e4", undefined, plain, "e4, empty"],
  ["e4", pawn, { ...plain, selected: true }, "e4, first player's Pawn, selected"],
  ["e4", { side: 2, letter: "K", name: "King" }, { ...plain, check: true }, "e4, seat 3 player's King, in check"],
  ["e4", { side: -1, letter: "*", name: "Duck" }, { ...plain, reachable: true }, "e4, Duck, can be reached"],
  ["e4", { ...pawn, partner: { side: 1, letter: "N", name: "Knight" } }, plain, "e4, first player's Pawn with second player's Knight"],
  ["e5", undefined, { ...plain, unknown: true }, "e5, unknown"],
  ["e2", undefined, { ...plain, zone: "palace" }, "e2, empty, palace"],
] as const)("%s", (cell, man, state, want) => {
  expect(describeCell(cell, man, state)).toBe(want);
});
