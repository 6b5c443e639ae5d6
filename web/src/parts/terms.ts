// The terms of a game as a form gathers them, and as the calls of the API take them. Pure.
export interface Terms {
  variant: string;
  /** "clock", "days" or "none". */
  time: "clock" | "days" | "none";
  minutes: number;
  increment: number;
  days: number;
  color: "white" | "black" | "random";
  rated: boolean;
  fen: string;
}

export const usualTerms: Readonly<Terms> = {
  variant: "spartan", time: "clock", minutes: 10, increment: 5, days: 3, color: "random", rated: false, fen: "",
};

/** The minutes that a clock may start with: those that the server takes. */
export const minutesAllowed: readonly number[] = [
  0, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 45, 60, 75, 90, 120, 150, 180,
];
export const incrementsAllowed: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 45, 60, 90, 120, 180];
export const daysAllowed: readonly number[] = [1, 2, 3, 5, 7, 10, 14];

/** The fields of a challenge. */
export function challengeFields(terms: Terms): Record<string, unknown> {
  const time =
    terms.time === "clock" ? { "clock.limit": terms.minutes * 60, "clock.increment": terms.increment }
    : terms.time === "days" ? { days: terms.days }
    : {};
  return {
    variant: terms.variant, color: terms.color, rated: terms.rated && terms.fen === "", ...time,
    ...(terms.fen.trim() === "" ? {} : { fen: terms.fen.trim() }),
  };
}
