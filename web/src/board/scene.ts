// From a scene, as the rules core describes a position, to what the board draws.
import type { HandMan, Man, MoveOption, Placement } from "./types";

/** A position as the server and the engine describe it (package engine/view). */
export interface Scene {
  readonly fen: string;
  readonly turn: number;
  readonly men: Readonly<Record<string, string>>;
  readonly hands?: readonly Readonly<Record<string, number>>[];
  readonly check?: readonly string[];
  readonly moves?: readonly SceneMove[];
}

export interface SceneMove {
  readonly m: string;
  readonly p: readonly string[];
  readonly man?: string;
  readonly at?: string;
}

/** What a definition says of its men: enough to name them. */
export interface PieceName {
  readonly letter: string;
  readonly name: string;
}

/** Names the men of one game by their letters. */
export class Nomenclature {
  readonly #names: ReadonlyMap<string, string>;

  constructor(pieces: readonly PieceName[]) {
    this.#names = new Map(pieces.map(({ letter, name }) => [letter, name]));
  }

  /** Reads a man such as "0K": the seat, then the letter. */
  man(text: string): Man {
    const letter = text.slice(1);
    return { side: Number(text[0]), letter, name: this.#names.get(letter) ?? letter };
  }

  placement(scene: Scene): Placement {
    return new Map(Object.entries(scene.men).map(([cell, man]) => [cell, this.man(man)]));
  }

  hand(scene: Scene, seat: number): readonly HandMan[] {
    return Object.entries(scene.hands?.[seat] ?? {})
      .map(([letter, count]) => ({ ...this.man(`${seat}${letter}`), count }));
  }

  options(scene: Scene): readonly MoveOption[] {
    const moves = scene.moves ?? [];
    const shared = new Map<string, number>();
    for (const { p } of moves) shared.set(p.join(), (shared.get(p.join()) ?? 0) + 1);
    return moves.map((move): MoveOption => {
      const alone = shared.get(move.p.join()) === 1;
      if (alone && move.man === undefined) return { move: move.m, path: move.p };
      return { move: move.m, path: move.p, choice: this.#choice(move) };
    });
  }

  #choice(move: SceneMove): NonNullable<MoveOption["choice"]> {
    if (move.man === undefined) return { label: "Just move" };
    const man = this.man(move.man);
    if (move.at === undefined) return { man, label: man.name };
    return { man, cell: move.at, label: `${man.name} on ${move.at}` };
  }
}
