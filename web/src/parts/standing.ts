// How a player of a game of more than two stands. Pure.
import type { GameFrame } from "../live/frames";

export interface SeatStanding {
  /** The colour of the army. */
  readonly hue: string | undefined;
  readonly points: number | undefined;
  readonly place: number | undefined;
  readonly out: boolean;
}

/** Nothing in games of two, where the clocks and the result say all. */
export function standingOf({ players, points, places, out }: GameFrame, seat: number, hue: string | undefined): SeatStanding | undefined {
  if (players.length <= 2) return undefined;
  return { hue, points: points?.[seat], place: places?.[seat], out: out?.includes(seat) === true };
}
