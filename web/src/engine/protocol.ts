// What the page and the worker say to each other, and the shapes of the answers of package engine/call.
import type { Scene } from "../board/scene";

/** A position: a game, where it began and what has been played. */
export interface Line {
  readonly key: string;
  /** The position it began with; without it the game's start with the number, or the usual one. */
  readonly fen?: string;
  readonly start?: number;
  readonly moves?: readonly string[];
}

export interface Ply {
  readonly move: string;
  readonly san: string;
  readonly fen: string;
  readonly turn: number;
  readonly number: number;
  readonly cells: readonly string[];
  readonly take?: boolean;
  readonly check?: boolean;
}

export interface Outcome {
  /** The seat that won, -1 for a draw. */
  readonly winner: number;
  readonly reason: string;
  readonly result: string;
  readonly text: string;
}

/** A position with the way that led to it. */
export interface State {
  readonly key: string;
  readonly start: string;
  readonly plies: readonly Ply[];
  readonly scene: Scene;
  /** The legal moves as people write them, by the text that is sent. */
  readonly san: Readonly<Record<string, string>>;
  readonly outcome?: Outcome;
  readonly canClaim?: boolean;
}

export interface Named {
  readonly move: string;
  readonly san: string;
}

export interface Reach {
  readonly cell: string;
  readonly how: "step" | "leap" | "pace" | "slide" | "hop";
  readonly quiet?: boolean;
  readonly take?: boolean;
  readonly passing?: boolean;
  readonly initial?: boolean;
}

export interface ReachQuestion {
  readonly key: string;
  readonly side: number;
  readonly letter: string;
  readonly cell?: string;
  readonly own?: readonly string[];
  readonly enemies?: readonly string[];
}

/** A line of play and its value for the first seat. */
export interface Variation {
  readonly cp: number;
  readonly mate?: number;
  readonly pv: readonly Named[];
}

export interface Thought {
  readonly depth: number;
  readonly nodes: number;
  readonly ms: number;
  readonly lines: readonly Variation[];
}

export interface Found extends Thought {
  readonly best?: Named;
}

export interface SearchQuestion extends Line {
  readonly level?: number;
  readonly seed?: number;
  readonly lines?: number;
  readonly depth?: number;
  readonly nodes?: number;
  readonly ms?: number;
}

/** The questions by name, with what is asked and what is answered. */
export interface Questions {
  state: [Line, State];
  move: [Line & { readonly text: string }, Named];
  writePGN: [Line & { readonly tags?: readonly (readonly [string, string])[]; readonly result?: string }, string];
  readRecord: [{ readonly text: string; readonly key: string }, Line & { readonly fen: string; readonly moves: readonly string[] }];
  reach: [ReachQuestion, { readonly cell: string; readonly reach: readonly Reach[] }];
  search: [SearchQuestion, Found];
  /** The names of the levels, the first being number 1. */
  levels: [Record<string, never>, readonly string[]];
}

/** From the page to the worker. */
export type Request =
  | { readonly kind: "ask"; readonly id: number; readonly name: keyof Questions; readonly question: string }
  | { readonly kind: "stop"; readonly id: number };

/** From the worker to the page. `dead` means that the module has ended and answers nothing more. */
export type Reply =
  | { readonly kind: "answer" | "error" | "progress"; readonly id: number; readonly text: string }
  | { readonly kind: "dead"; readonly text: string };
