// How likely a side is to win, by what the engine thinks of the positions of a game.
import type { components } from "../api/types.gen";

type MoveAnalysis = components["schemas"]["MoveAnalysis"];

/** The first side's chances to win in percent, after so many plies. */
export interface Chance {
  readonly ply: number;
  readonly win: number;
}

/** The slope that lichess.org publishes for its own reviews. */
const SLOPE = 0.00368208;

/** The chances to win with a score in centipawns. */
export const winning = (cp: number): number => 100 / (1 + Math.exp(-SLOPE * cp));

/** The curve of a game, which begins evenly. A ply whose position was not evaluated, as the last one, stays where it was. */
export function chances(moves: readonly MoveAnalysis[]): readonly Chance[] {
  const curve: Chance[] = [{ ply: 0, win: 50 }];
  for (const [i, { eval: cp, mate }] of moves.entries()) {
    const before = curve[i]?.win ?? 50;
    const win = mate === undefined ? (cp === undefined ? before : winning(cp)) : mate > 0 ? 100 : 0;
    curve.push({ ply: i + 1, win });
  }
  return curve;
}
