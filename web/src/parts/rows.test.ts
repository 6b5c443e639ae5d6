import { describe, expect, it } from "vitest";
import { rounds } from "./rows";

const shape = (...args: Parameters<typeof rounds>): string[] =>
  rounds(...args).map(({ number, turns }) => `${number}. ${turns.map((turn) => turn.map(({ san }) => san).join(",")).join(" | ")}`);

describe("rounds", () => {
  it("pairs the moves of players who take turns", () => {
    expect(shape(["e4", "e5", "Nf3"], 0)).toEqual(["1. e4 | e5", "2. Nf3 | "]);
  });
  it("leaves the first place empty where the second player begins", () => {
    expect(shape(["e5", "Nf3"], 1)).toEqual(["1.  | e5", "2. Nf3 | "]);
  });
  it("keeps the moves of one turn together", () => {
    expect(shape(["e4", "d5", "e5", "Nc3", "d4", "a6"], 0, [0, 1, 1, 0, 0, 1])).toEqual(["1. e4 | d5,e5", "2. Nc3,d4 | a6"]);
  });
  it("has a place for each of four, and none for who is out", () => {
    expect(shape(["a", "b", "c", "d", "e", "f"], 0, [0, 1, 2, 3, 1, 3], 4)).toEqual(["1. a | b | c | d", "2.  | e |  | f"]);
    expect(shape(["a", "b", "c", "d", "e"], 0, undefined, 4)).toEqual(["1. a | b | c | d", "2. e |  |  | "]);
  });
  it("numbers plies from the start", () => {
    expect(rounds(["e4", "e5"], 0)[0]?.turns[1]).toEqual([{ san: "e5", plies: 2 }]);
  });
});
