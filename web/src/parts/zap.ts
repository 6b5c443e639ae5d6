// What TV shows. Pure.
import type { TVChannel } from "../live/frames";

/** The channel that is wanted; without a wish the best games, or where most is going on if nobody plays there. */
export function tuned(channels: readonly TVChannel[], wanted: string | undefined): TVChannel | undefined {
  const named = channels.find(({ channel }) => channel === (wanted ?? "best"));
  if (named || wanted !== undefined) return named;
  return channels.reduce<TVChannel | undefined>((most, one) => (most && most.games >= one.games ? most : one), undefined);
}

/** What is on the screen: a game, and the wish that brought it there. */
export interface Screen {
  readonly game: string;
  readonly seat: number;
  readonly wanted: string | undefined;
}

/**
 * What is to be on the screen. A game stays until it is over, and then for a while, so that its last position is seen:
 * `done` says that this while is over. Another wish is followed at once.
 */
export function zap(screen: Screen | undefined, on: TVChannel | undefined, wanted: string | undefined, done: boolean): Screen | undefined {
  const next = on && { game: on.game, seat: on.seat, wanted };
  if (!screen || screen.wanted !== wanted) return next;
  return done && next && next.game !== screen.game ? next : screen;
}
