// The clocks of a game on one device: time comes in as an argument, so that everything is a test. Pure.

export interface Countdown {
  /** Milliseconds left by seat, as of `since`. */
  readonly left: readonly number[];
  /** The seat whose clock runs, and since when; undefined while none does. */
  readonly runs: { readonly seat: number; readonly since: number } | undefined;
  readonly increment: number;
}

export function countdown(limit: number, increment: number, seats: number): Countdown {
  return { left: Array.from({ length: seats }, () => limit), runs: undefined, increment };
}

/** What a seat has left at a moment. */
export function leftAt(clock: Countdown, seat: number, now: number): number {
  const left = clock.left[seat] ?? 0;
  return clock.runs?.seat === seat ? Math.max(0, left - (now - clock.runs.since)) : left;
}

/**
 * Stops the running clock, with the increment for a turn that was made, and starts that of the next seat. Within a turn of
 * several moves the clock runs on.
 */
export function press(clock: Countdown, next: number, now: number): Countdown {
  if (clock.runs?.seat === next) return clock;
  const mover = clock.runs?.seat;
  const left = clock.left.map((ms, seat) => (seat === mover ? leftAt(clock, seat, now) + clock.increment : ms));
  return { ...clock, left, runs: { seat: next, since: now } };
}

export function halt(clock: Countdown, now: number): Countdown {
  return { ...clock, left: clock.left.map((_, seat) => leftAt(clock, seat, now)), runs: undefined };
}

/** The seat whose time is up, if one's is. */
export function fallen(clock: Countdown, now: number): number | undefined {
  return clock.runs && leftAt(clock, clock.runs.seat, now) === 0 ? clock.runs.seat : undefined;
}
