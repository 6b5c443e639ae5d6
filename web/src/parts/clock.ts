// What a clock shows. Pure.
import type { Clock, Control } from "../live/frames";

/** The seconds that a player gives the other at once. */
export const GIFT = 15;

/** What the clock of a seat shows: milliseconds of the limit or of a period, and how many periods follow. */
export interface Face {
  readonly left: number;
  readonly periods: number;
  /** The delay of the move, while it lasts. */
  readonly delay: number;
}

/** The clock of a seat at a moment of the server's time. */
export function face(clock: Clock, control: Control, seat: number, turn: number, now: number): Face {
  const [left, periods] = [clock.left[seat] ?? 0, clock.periods?.[seat] ?? 0];
  if (!clock.running || seat !== turn) return { left, periods, delay: 0 };
  const gone = Math.max(0, now - clock.from);
  const delay = Math.max(0, (control.delay ?? 0) - gone);
  const rest = left - Math.max(0, gone - (control.delay ?? 0));
  const length = control.byoyomi ?? 0;
  if (rest > 0 || periods === 0 || length === 0) return { left: Math.max(0, rest), periods, delay };
  // The limit has run out, and perhaps some periods too.
  const over = Math.floor(-rest / length);
  return over >= periods ? { left: 0, periods: 0, delay } : { left: length + rest + over * length, periods: periods - over - 1, delay };
}

/** 1:02:03, 2:03 or, with tenths, 0:08.4; whole days as "2 days 3 h". */
export function clockText(ms: number, withTenths = ms < 10_000): string {
  const day = 86_400_000;
  if (ms >= day) {
    const days = Math.floor(ms / day);
    return `${days} ${days === 1 ? "day" : "days"} ${Math.floor((ms % day) / 3_600_000)} h`;
  }
  const tenths = Math.floor(ms / 100);
  const seconds = Math.floor(tenths / 10);
  const pad = (value: number): string => String(value).padStart(2, "0");
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return (h > 0 ? `${h}:${pad(m)}:${pad(s)}` : `${m}:${pad(s)}`) + (withTenths ? `.${tenths % 10}` : "");
}

/** A time control in words, such as "5+3", "5 d3" with a delay, "10+3×30" with periods, "2 days a move" or "no clock". */
export function controlText(control: Control): string {
  if (control.type === "clock") {
    const minutes = (control.limit ?? 0) / 60_000;
    const quarters: Readonly<Record<string, string>> = { "0.25": "¼", "0.5": "½", "0.75": "¾" };
    const limit = quarters[String(minutes)] ?? String(minutes);
    if (control.byoyomi) return `${limit}+${control.periods ?? 1}×${control.byoyomi / 1000}`;
    if (control.delay) return `${limit} d${control.delay / 1000}`;
    return `${limit}+${(control.increment ?? 0) / 1000}`;
  }
  if (control.type === "correspondence") return `${control.days} ${control.days === 1 ? "day" : "days"} a move`;
  return "no clock";
}
