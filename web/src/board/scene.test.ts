import { describe, expect, it } from "vitest";
import { Nomenclature, type Scene } from "./scene";

const names = new Nomenclature([{ letter: "K", name: "King" }, { letter: "N", name: "Knight" }, { letter: "H", name: "Hawk" }]);
const scene: Scene = {
  fen: "4k3/8/8/8/8/8/8/1N2K3[H] w B - 0 1",
  turn: 0,
  men: { e8: "1K", b1: "0N", e1: "0K" },
  hands: [{ H: 1 }, {}],
  moves: [
    { m: "b1c3", p: ["b1", "c3"] },
    { m: "b1c3h", p: ["b1", "c3"], man: "0H", at: "b1" },
    { m: "e1e2", p: ["e1", "e2"] },
    { m: "a7a8n", p: ["a7", "a8"], man: "0N" },
  ],
};

describe("Nomenclature", () => {
  it("places men under their names", () => {
    expect(names.placement(scene).get("e8")).toEqual({ side: 1, letter: "K", name: "King" });
  });
  it("shows an unknown letter as it is", () => {
    expect(names.man("3X")).toEqual({ side: 3, letter: "X", name: "X" });
  });
  it("lists hands", () => {
    expect(names.hand(scene, 0)).toEqual([{ side: 0, letter: "H", name: "Hawk", count: 1 }]);
    expect(names.hand(scene, 1)).toEqual([]);
  });
  it("labels what tells moves apart, and nothing else", () => {
    expect(names.options(scene).map(({ choice }) => choice?.label)).toEqual(["Just move", "Hawk on b1", undefined, "Knight"]);
  });
});
