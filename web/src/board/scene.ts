// From a scene, as the rules core describes a position, to what the board draws.
import { figureOf, pieceOf, parts, waysOf, type Figure, type Piece } from "./figures";
import { huesOf } from "./hues";
import { nativeOf, type NativeSet } from "./native";
import { NOBODY, type Fact, type HandMan, type Man, type MoveOption, type Placement } from "./types";

/** A position as the server and the engine describe it (package engine/view). */
export interface Scene {
  readonly fen: string;
  readonly turn: number;
  readonly men: Readonly<Record<string, string>>;
  /** Cells whose contents the viewer may not know. */
  readonly unknown?: readonly string[];
  readonly hands?: readonly Readonly<Record<string, number>>[];
  readonly prisons?: readonly Readonly<Record<string, number>>[];
  readonly check?: readonly string[];
  readonly moves?: readonly SceneMove[];
  /** What the side to move may declare. */
  readonly claims?: readonly string[];
  readonly facts?: readonly Fact[];
}

export interface SceneMove {
  readonly m: string;
  readonly p: readonly string[];
  readonly man?: string;
  readonly at?: string;
}

/** What a definition says of its men and of the cells that their diagrams show. */
export interface Naming {
  readonly pieces: readonly Piece[];
  readonly sides?: readonly { readonly color: string; readonly name: string }[];
  readonly cells?: readonly { readonly name: string; readonly x: number; readonly y: number }[];
  readonly look?: { readonly native?: NativeSet };
}

/** Names the men of one game by their tokens, and finds their pictures. */
export class Nomenclature {
  readonly #pieces: ReadonlyMap<string, Piece>;
  readonly #centres: ReadonlyMap<string, { readonly x: number; readonly y: number }>;
  readonly #colors: readonly string[];
  readonly #native: NativeSet | undefined;
  readonly #hues: readonly string[];
  readonly #figures = new Map<string, Figure>();

  constructor({ pieces, sides = [], cells = [], look }: Naming) {
    this.#pieces = new Map(pieces.map((piece) => [piece.letter, piece]));
    this.#centres = new Map(cells.map((cell) => [cell.name, cell]));
    this.#colors = sides.map(({ color }) => color);
    this.#native = look?.native;
    this.#hues = sides.length > 2 ? huesOf(sides) : [];
  }

  /** Reads a man such as "0K": the seat, or "-" for nobody's, then the token. Two men on one cell are joined by "&". */
  man(text: string): Man {
    const [first = "", second] = text.split("&");
    const man = this.#one(first);
    return second === undefined ? man : { ...man, partner: this.#one(second) };
  }

  #one(text: string): Man {
    const side = text.startsWith("-") ? NOBODY : Number(text[0]);
    const letter = text.slice(1);
    const piece = pieceOf(this.#pieces, letter);
    const native = nativeOf(this.#native, letter, piece, side);
    const hue = this.#hues[side];
    return {
      side, letter, name: this.#name(letter, piece), figure: this.#figure(side, letter), ...(native ? { native } : {}), ...(hue ? { hue } : {}),
    };
  }

  #name(token: string, piece: Piece | undefined): string {
    if (!piece) return token === "*" ? "Duck" : token;
    const { plus, marks, tilde } = parts(token);
    const form = piece.letter === token ? "" : plus || tilde ? "promoted " : "";
    // Stages of one man are told apart by their marks, unless the definition names each of them.
    const first = this.#pieces.get(token.replace(/'+$/, ""));
    const stages = marks > 0 && first?.name === piece.name ? ` with ${marks} ${marks === 1 ? "mark" : "marks"}` : "";
    return `${form}${piece.name}${stages}`;
  }

  #figure(side: number, token: string): Figure {
    const key = `${side}${token}`;
    const known = this.#figures.get(key);
    if (known) return known;
    const diagrams = pieceOf(this.#pieces, token)?.diagrams ?? [];
    const diagram = diagrams.find((shown) => shown.side === this.#colors[side]) ?? diagrams[0];
    const figure = token === "*" ? { glyph: "duck" } : figureOf(this.#pieces, token, diagram ? waysOf(diagram, this.#centres) : []);
    this.#figures.set(key, figure);
    return figure;
  }

  /** The colour of a side, where light and dark do not do. */
  hue(side: number): string | undefined {
    return this.#hues[side];
  }

  placement(scene: Scene): Placement {
    return new Map(Object.entries(scene.men).map(([cell, man]) => [cell, this.man(man)]));
  }

  /** The men that a seat can bring to the board. */
  hand(scene: Scene, seat: number): readonly HandMan[] {
    return this.#held(scene.hands?.[seat], seat, "hand");
  }

  /** The men of the other side that a seat has captured and keeps. */
  prison(scene: Scene, seat: number): readonly HandMan[] {
    return this.#held(scene.prisons?.[seat], 1 - seat, "prison");
  }

  #held(held: Readonly<Record<string, number>> | undefined, owner: number, place: string): readonly HandMan[] {
    const order = [...this.#pieces.keys()];
    return Object.entries(held ?? {})
      .map(([letter, count]) => ({ ...this.man(`${owner}${letter}`), count, element: `${place}:${letter}` }))
      .sort((a, b) => order.indexOf(a.letter) - order.indexOf(b.letter));
  }

  options(scene: Scene): readonly MoveOption[] {
    const moves = scene.moves ?? [];
    const shared = new Map<string, number>();
    for (const { p } of moves) shared.set(p.join(), (shared.get(p.join()) ?? 0) + 1);
    return moves.map((move): MoveOption => {
      const alone = shared.get(move.p.join()) === 1;
      if (alone && move.man === undefined) return { move: move.m, path: move.p };
      return { move: move.m, path: move.p, choice: this.#choice(move, scene.turn) };
    });
  }

  #choice(move: SceneMove, turn: number): NonNullable<MoveOption["choice"]> {
    if (move.man === undefined) return { label: "Just move" };
    const man = this.man(move.man);
    if (man.side !== turn && man.side !== NOBODY) return { man, label: `For the ${man.name.toLowerCase()}` };
    if (move.at === undefined) return { man, label: man.name };
    return { man, cell: move.at, label: `${man.name} on ${move.at}` };
  }
}
