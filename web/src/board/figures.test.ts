import { describe, expect, it } from "vitest";
import { figureOf, waysOf, type Piece } from "./figures";
import { drawnNames, glyphOf } from "./glyphs";

const table = (...pieces: Piece[]): ReadonlyMap<string, Piece> => new Map(pieces.map((piece) => [piece.letter, piece]));

describe("the picture of a man", () => {
  it.each([
    ["by name", { letter: "R", name: "Rook" }, { glyph: "rook" }],
    ["by name whatever the movement", { letter: "E", name: "Elephant", betza: "RN" }, { glyph: "elephant" }],
    ["by movement", { letter: "M", name: "Khun Met", betza: "F" }, { glyph: "ferz" }],
    ["by the movement of a pawn", { letter: "P", name: "Bidak", betza: "fmWfceFifmnD" }, { glyph: "pawn" }],
    ["by another name", { letter: "C", name: "Marshal", betza: "x" }, { glyph: "chancellor" }],
    ["by the end of the name", { letter: "+V", name: "Flying ox", betza: "vRB" }, { glyph: "ox", promoted: true }],
    ["of royal men, whatever they are called", { letter: "K", name: "General", royal: true }, { glyph: "king" }],
    ["of royal birds, with a crown", { letter: "K", name: "Phoenix", royal: true }, { glyph: "phoenix", badge: "crown" }],
    ["is none for others", { letter: "Y", name: "Side mover", betza: "sRvW" }, { ways: [] }],
  ])("is found %s", (_, piece, want) => {
    expect(figureOf(table(piece), piece.letter)).toEqual(want);
  });
  it("shows what promoted men were", () => {
    const pieces = table({ letter: "S", name: "Silver", betza: "FfW" }, { letter: "+S", name: "Promoted silver", betza: "WfF" }, { letter: "Q", name: "Queen" });
    expect(figureOf(pieces, "+S")).toEqual({ glyph: "gold", badge: "silver", promoted: true });
    expect(figureOf(pieces, "Q~")).toEqual({ glyph: "queen", promoted: true });
  });
  it("knows pawns with longer names", () => {
    const pieces = table({ letter: "P", name: "Pawn of pawns" }, { letter: "P'", name: "Pawn of pawns, second life" });
    expect(figureOf(pieces, "P")).toEqual({ glyph: "pawn" });
    expect(figureOf(pieces, "P'")).toEqual({ glyph: "pawn", marks: 1 });
  });
  it("shows whose pawn it is, and a pawn's stages", () => {
    const pieces = table({ letter: "C", name: "Camel" }, { letter: "C'", name: "Pawn of camels" }, { letter: "P", name: "Pawn" });
    expect(figureOf(pieces, "C'")).toEqual({ glyph: "pawn", badge: "camel" });
    expect(figureOf(pieces, "P''")).toEqual({ glyph: "pawn", marks: 2 });
  });
});

describe("the ways of a man without a picture", () => {
  it("tells steps, slides and leaps apart", () => {
    const centres = new Map([["a1", { x: 0, y: 2 }], ["b1", { x: 1, y: 2 }], ["c1", { x: 2, y: 2 }], ["a2", { x: 0, y: 1 }], ["a3", { x: 0, y: 0 }], ["b3", { x: 1, y: 0 }]]);
    const reach = [{ cell: "b1", how: "slide" }, { cell: "c1", how: "slide" }, { cell: "a2", how: "step" }, { cell: "b3", how: "leap" }];
    expect(waysOf({ side: "white", cell: "a1", reach }, centres)).toEqual([
      { angle: 0, how: "slide" }, { angle: -90, how: "step" }, { angle: -63, how: "leap" },
    ]);
  });
});

describe("every picture", () => {
  it.each(drawnNames)("%s has shapes, and its parts exist", (name) => {
    const glyph = glyphOf(name);
    expect((glyph?.body?.length ?? 0) + (glyph?.parts?.length ?? 0)).toBeGreaterThan(0);
    for (const [part] of glyph?.parts ?? []) expect(glyphOf(part)?.body).toBeDefined();
    for (const d of [...(glyph?.body ?? []), ...(glyph?.lines ?? [])]) expect(d).toMatch(/^M[-\d. a-zA-Z]+$/);
  });
});
