// How likely a side is to win, by what the engine thinks of the positions of a game.
import type { components } from "../api/types.gen";
import { share } from "../engine/eval";

type MoveAnalysis = components["schemas"]["MoveAnalysis"];

/** The first side's chances to win in percent, after so many plies. */
export interface Chance {
  readonly ply: number;
  readonly win: number;
}

/** The curve of a game, which begins evenly. A ply whose position was not evaluated, as the last one, stays where it was. */
export function chances(moves: readonly MoveAnalysis[]): readonly Chance[] {
  let win = 50;
  const curve: Chance[] = [{ ply: 0, win }];
  for (const [i, { eval: cp, mate }] of moves.entries()) {
    if (cp !== undefined || mate !== undefined) win = 100 * share({ cp: cp ?? 0, mate: mate ?? 0 });
    curve.push({ ply: i + 1, win });
  }
  return curve;
}
