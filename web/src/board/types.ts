// What the board draws and what it tells. Nothing here knows a game: cells, men and the moves that may be made all come
// from the server or from the rules core.
import type { Figure } from "./figures";
import type { NativeSign } from "./native";

/** A cell as the server describes it, one square being one unit; y grows towards the first player. */
export interface Cell {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly shade?: number;
  /** A region with a meaning in the rules, to be shaded. */
  readonly zone?: string;
  readonly outline: readonly (readonly [number, number])[];
}

/** How a board is drawn besides its cells. */
export interface BoardStyle {
  readonly style?: "cells" | "plain" | "points";
  readonly lines?: readonly (readonly number[])[];
}

/** The side of men that nobody moves. */
export const NOBODY = -1;

/** A man: whose it is (its seat, 0 for the first), its token in the game's notation, its name, and how it looks. */
export interface Man {
  readonly side: number;
  readonly letter: string;
  readonly name: string;
  readonly figure?: Figure;
  /** How it looks where the game comes from. */
  readonly native?: NativeSign;
  /** The colour of its army, where there are more than two. */
  readonly hue?: string;
  /** A second man on the same cell. */
  readonly partner?: Man;
}

/** Men of one kind that a player holds beside the board. */
export interface HandMan extends Man {
  readonly count: number;
  /** What a path calls it. */
  readonly element: string;
}

/** What tells moves along the same cells apart: a promotion, a gated man, or neither. */
export interface Choice {
  /** The man that appears, if one does. */
  readonly man?: Man;
  /** The cell on which it appears, if that is not the last of the path. */
  readonly cell?: string;
  /** What the choice is called, for people and screen readers. */
  readonly label: string;
}

/**
 * A move that may be made: what a player points at one after another, and the text that is sent. An element is a cell,
 * `hand:X` or `prison:X` for a man with the token X beside the board, or `pass` alone.
 */
export interface MoveOption {
  readonly move: string;
  readonly path: readonly string[];
  readonly choice?: Choice;
}

/** The path of moves that move nothing. */
export const PASS = "pass";

/** Something that a position holds besides the men. */
export interface Fact {
  readonly kind: string;
  readonly seat?: number;
  readonly text: string;
}

/** Where the men stand. */
export type Placement = ReadonlyMap<string, Man>;

/** A mark drawn by a player with the right button: an arrow, or a ring where both cells are the same. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly brush: "plain" | "strong";
}
