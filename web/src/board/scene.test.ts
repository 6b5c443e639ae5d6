import { describe, expect, it } from "vitest";
import { Nomenclature, type Scene } from "./scene";

const names = new Nomenclature({
  pieces: [
    { letter: "K", name: "King", royal: true }, { letter: "N", name: "Knight" }, { letter: "H", name: "Hawk" }, { letter: "P", name: "Pawn" },
    { letter: "+P", name: "Tokin", betza: "WfF" },
  ],
});
const scene: Scene = {
  fen: "4k3/8/8/8/8/8/8/1N2K3[H] w B - 0 1",
  turn: 0,
  men: { e8: "1K", b1: "0N", e1: "0K", c3: "-*", d4: "0P&1N" },
  hands: [{ H: 1, N: 2 }, {}],
  prisons: [{ N: 1 }, {}],
  moves: [
    { m: "b1c3", p: ["b1", "c3"] },
    { m: "b1c3h", p: ["b1", "c3"], man: "0H", at: "b1" },
    { m: "e1e2", p: ["e1", "e2"] },
    { m: "a7a8n", p: ["a7", "a8"], man: "0N" },
    { m: "n-H@f7", p: ["prison:H", "f7"], man: "1N" },
  ],
};

describe("Nomenclature", () => {
  it("places men under their names", () => {
    expect(names.placement(scene).get("e8")).toMatchObject({ side: 1, letter: "K", name: "King", figure: { glyph: "king" } });
  });
  it("knows men that are nobody's", () => {
    expect(names.placement(scene).get("c3")).toMatchObject({ side: -1, letter: "*", figure: { glyph: "duck" } });
  });
  it("knows two men on one cell", () => {
    expect(names.placement(scene).get("d4")).toMatchObject({ side: 0, name: "Pawn", partner: { side: 1, name: "Knight" } });
  });
  it("shows an unknown letter as it is", () => {
    expect(names.man("3X")).toMatchObject({ side: 3, letter: "X", name: "X", figure: { ways: [] } });
  });
  it("names promoted men and stages", () => {
    expect(["0+P", "0N~", "0P''", "0+N"].map((text) => names.man(text).name)).toEqual(
      ["Tokin", "promoted Knight", "Pawn with 2 marks", "promoted Knight"]);
  });
  it("names stages that the definition does not tell apart", () => {
    const staged = new Nomenclature({ pieces: [
      { letter: "+P", name: "Crowned pawn" }, { letter: "+P'", name: "Crowned pawn" },
      { letter: "Q", name: "Pawn of pawns" }, { letter: "Q'", name: "Pawn of pawns, second life" },
    ] });
    expect(["0+P", "0+P'", "0Q'"].map((text) => staged.man(text).name)).toEqual(["Crowned pawn", "Crowned pawn with 1 mark", "Pawn of pawns, second life"]);
  });
  it("lists hands and prisons in the order of the definition", () => {
    expect(names.hand(scene, 0).map(({ name, count, element }) => [name, count, element])).toEqual([["Knight", 2, "hand:N"], ["Hawk", 1, "hand:H"]]);
    expect(names.hand(scene, 1)).toEqual([]);
    expect(names.prison(scene, 0)).toMatchObject([{ side: 1, name: "Knight", count: 1, element: "prison:N" }]);
  });
  it("labels what tells moves apart, and nothing else", () => {
    expect(names.options(scene).map(({ choice }) => choice?.label)).toEqual(["Just move", "Hawk on b1", undefined, "Knight", "For the knight"]);
  });
});

describe("a game with signs of its own", () => {
  const native = new Nomenclature({
    look: { native: "shogi" },
    pieces: [{ letter: "K", name: "King", royal: true }, { letter: "P", name: "Pawn" }, { letter: "+P", name: "Tokin" }, { letter: "Z", name: "Zebra" }],
  });
  it("writes characters, and letters where it knows none", () => {
    expect(["0K", "1K", "0P", "1+P", "0Z"].map((text) => native.man(text).native?.text)).toEqual(["玉", "王", "歩", "と", "Z"]);
    expect(native.man("1+P").native).toMatchObject({ shape: "wedge", promoted: true });
  });
});
