// What a diagram draws on a cell for the ways of getting there. Pure.
import type { Reach } from "../engine/protocol";

/** What happens on arrival: both, only moving there, or only capturing there. */
export type Deed = "both" | "move" | "take";

export interface Mark {
  readonly cell: string;
  readonly how: Reach["how"];
  readonly deed: Deed;
  readonly initial: boolean;
  readonly passing: boolean;
}

const hows: Readonly<Record<Reach["how"], string>> = {
  step: "one step", leap: "leap", pace: "way must be free", slide: "slide", hop: "over a man",
};
const deeds: Readonly<Record<Deed, string>> = { both: "moves or captures", move: "only moves", take: "only captures" };

/** One mark for each way to a cell; a cell that holds a man is marked only as a capture. */
export function marks(reach: readonly Reach[]): readonly Mark[] {
  return reach.map((way) => ({
    cell: way.cell,
    how: way.how,
    deed: way.quiet ? (way.take ? "both" : "move") : "take",
    initial: way.initial ?? false,
    passing: way.passing ?? false,
  }));
}

/** A mark in words, for those who do not see it. */
export function describe(mark: Mark): string {
  return [
    `${deeds[mark.deed]} here`, hows[mark.how],
    ...(mark.initial ? ["first move only"] : []), ...(mark.passing ? ["also in passing"] : []),
  ].join(", ");
}

export type Legend = Mark["how"] | Deed | "initial" | "passing";

const words: Readonly<Record<Legend, string>> = {
  both: "moves or captures", move: "only moves", take: "only captures",
  step: "one step", leap: "leaps over men", slide: "slides until something is in the way", pace: "only if the way is free",
  hop: "only over a man in between",
  initial: "first move only", passing: "also captures in passing",
};

/** What the drawn marks mean: only of those that are there. */
export function legend(drawn: readonly Mark[]): readonly { readonly kind: Legend; readonly text: string }[] {
  const there = new Set<Legend>(drawn.flatMap((mark) => [
    mark.how, mark.deed, ...(mark.initial ? (["initial"] as const) : []), ...(mark.passing ? (["passing"] as const) : []),
  ]));
  return (Object.keys(words) as Legend[]).filter((kind) => there.has(kind)).map((kind) => ({ kind, text: words[kind] }));
}
