// What the board draws and what it tells. Nothing here knows a game: cells, men and the moves that may be made all come
// from the server or from the rules core.

/** A cell as the server describes it, one square being one unit; y grows towards the first player. */
export interface Cell {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly shade: number;
  readonly outline: readonly (readonly [number, number])[];
}

/** A man: whose it is (its seat, 0 for the first), its letter in the game's notation, and its name. */
export interface Man {
  readonly side: number;
  readonly letter: string;
  readonly name: string;
}

/** Men of one kind that a player holds beside the board. */
export interface HandMan extends Man {
  readonly count: number;
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
 * A move that may be made: the cells that a player points at one after another, and the text that is sent. The first
 * element is a cell, or `X@` for the man with letter X in hand.
 */
export interface MoveOption {
  readonly move: string;
  readonly path: readonly string[];
  readonly choice?: Choice;
}

/** Where the men stand. */
export type Placement = ReadonlyMap<string, Man>;

/** A mark drawn by a player with the right button: an arrow, or a ring where both cells are the same. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly brush: "plain" | "strong";
}
