// What happens to a puzzle while it is solved. Pure: the page asks the server and shows what comes out.
import type { Schemas } from "../api/client";

export type Verdict = Schemas["SolveResult"];

export type Phase = "solving" | "wrong" | "solved" | "shown";

export interface Attempt {
  readonly phase: Phase;
  /** The solver's moves that were right. */
  readonly moves: readonly string[];
  readonly message: string;
  readonly ratingDiff: number | undefined;
}

/** What an attempt becomes, and what the board has to do: keep the move, undo it, or answer it. */
export interface Step {
  readonly attempt: Attempt;
  readonly undo: boolean;
  readonly reply: string | undefined;
}

export function begin(goal: string): Attempt {
  return { phase: "solving", moves: [], message: goal, ratingDiff: undefined };
}

/** Judges a move by what the server said of it. */
export function judged(attempt: Attempt, move: string, verdict: Verdict): Step {
  const ratingDiff = verdict.ratingDiff ?? attempt.ratingDiff;
  if (verdict.longer) {
    return { attempt: { ...attempt, message: "That mates too, but takes longer. Look for the quicker way." }, undo: true, reply: undefined };
  }
  if (!verdict.win) {
    return { attempt: { ...attempt, phase: "wrong", message: "That is not it.", ratingDiff }, undo: true, reply: undefined };
  }
  const moves = [...attempt.moves, move];
  if (verdict.done) return { attempt: { phase: "solved", moves, message: "Solved!", ratingDiff }, undo: false, reply: undefined };
  return { attempt: { phase: "solving", moves, message: "Right. Go on!", ratingDiff }, undo: false, reply: verdict.reply };
}

/** What is asked for, from the themes: "mateIn2" is told to the solver, the rest would give it away. */
export function goalText(themes: readonly string[], side: string): string {
  const mate = themes.map((theme) => /^mateIn(\d+)$/.exec(theme)?.[1]).find((found) => found !== undefined);
  return mate ? `${side} to move and mate in ${mate}.` : `${side} to move. Find the best move.`;
}

/** A theme as people read it: "mateIn2" as "mate in 2". */
export function themeText(theme: string): string {
  return theme.replace(/([a-z])([A-Z0-9])/g, "$1 $2").toLowerCase();
}
