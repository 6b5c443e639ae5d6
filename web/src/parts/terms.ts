// The terms of a game as a form gathers them, and as the calls of the API take them. Pure.
export interface Terms {
  variant: string;
  /** "clock", "days" or "none". */
  time: "clock" | "days" | "none";
  minutes: number;
  /** What a move gains: seconds on top, seconds before the clock runs down, or periods after the limit. */
  extra: "increment" | "delay" | "byoyomi";
  seconds: number;
  periods: number;
  days: number;
  color: "white" | "black" | "random";
  rated: boolean;
  fen: string;
}

/** No game is the usual one: a form begins with the first that the server lists. */
export const usualTerms: Readonly<Terms> = {
  variant: "", time: "clock", minutes: 10, extra: "increment", seconds: 5, periods: 3, days: 3, color: "random", rated: false, fen: "",
};

/** The minutes that a clock may start with: those that the server takes. */
export const minutesAllowed: readonly number[] = [
  0, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 45, 60, 75, 90, 120, 150, 180,
];
export const secondsAllowed: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 45, 60, 90, 120, 180];
export const daysAllowed: readonly number[] = [1, 2, 3, 5, 7, 10, 14];

export const periodsAllowed: readonly number[] = [1, 2, 3, 5, 10];

/** The seconds of a clock by the names that the websocket has for them. */
export function clockFields({ minutes, extra, seconds, periods }: Terms): Record<string, number> {
  const limit = minutes * 60;
  if (seconds > 0 && extra === "byoyomi") return { limit, byoyomi: seconds, periods };
  return seconds > 0 && extra === "delay" ? { limit, delay: seconds } : { limit, increment: seconds };
}

/** The fields of a challenge. What the websocket calls "limit" is "clock.limit" in the forms of the API, and so on. */
export function challengeFields(terms: Terms, prefix: "clock." | "" = "clock."): Record<string, unknown> {
  const clock = Object.entries({ increment: 0, ...clockFields(terms) }).map(([name, value]) => [prefix + name, value]);
  const time = terms.time === "clock" ? Object.fromEntries(clock) : terms.time === "days" ? { days: terms.days } : {};
  const fen = terms.fen.trim();
  return { variant: terms.variant, color: terms.color, rated: terms.rated && fen === "", ...time, ...(fen === "" ? {} : { fen }) };
}
