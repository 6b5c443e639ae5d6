// What a clock shows. Pure.
import type { Clock } from "../live/frames";

/** Milliseconds that a seat has left at a moment of the server's time. */
export function remaining(clock: Clock, seat: number, turn: number, now: number): number {
  const left = clock.left[seat as 0 | 1] ?? 0;
  return clock.running && seat === turn ? Math.max(0, left - Math.max(0, now - clock.from)) : left;
}

/** 1:02:03, 2:03 or, in the last ten seconds, 0:08.4; whole days as "2 days 3 h". */
export function clockText(ms: number): string {
  const day = 86_400_000;
  if (ms >= day) {
    const days = Math.floor(ms / day);
    return `${days} ${days === 1 ? "day" : "days"} ${Math.floor((ms % day) / 3_600_000)} h`;
  }
  const tenths = Math.floor(ms / 100);
  const seconds = Math.floor(tenths / 10);
  const pad = (value: number): string => String(value).padStart(2, "0");
  if (ms < 10_000) return `0:${pad(seconds)}.${tenths % 10}`;
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${pad(m)}:${pad(s)}` : `${m}:${pad(s)}`;
}

/** A time control in words, such as "5+3", "2 days a move" or "no clock". */
export function controlText(control: { type: string; limit?: number; increment?: number; days?: number }): string {
  if (control.type === "clock") {
    const minutes = (control.limit ?? 0) / 60_000;
    const quarters: Readonly<Record<string, string>> = { "0.25": "¼", "0.5": "½", "0.75": "¾" };
    return `${quarters[String(minutes)] ?? minutes}+${(control.increment ?? 0) / 1000}`;
  }
  if (control.type === "correspondence") return `${control.days} ${control.days === 1 ? "day" : "days"} a move`;
  return "no clock";
}
