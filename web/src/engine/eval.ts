// How the engine's values are shown. Pure.
import type { Variation } from "./protocol";

/** Such as "+1.3", "−0.5" or "#−3"; for the first seat. */
export function valueText({ cp, mate }: Pick<Variation, "cp" | "mate">): string {
  if (mate) return `#${mate < 0 ? "−" : ""}${Math.abs(mate)}`;
  const pawns = Math.abs(cp) / 100;
  const sign = pawns < 0.05 ? "" : cp > 0 ? "+" : "−";
  return `${sign}${pawns.toFixed(pawns >= 10 ? 0 : 1)}`;
}

/** The slope by which lichess.org reckons the chances to win. */
const SLOPE = 0.00368208;

/** The first seat's chances to win, from 0 to 1: with a pawn more about three in five. */
export function share({ cp, mate }: Pick<Variation, "cp" | "mate">): number {
  if (mate) return mate > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-SLOPE * cp));
}

/** A line of play with move numbers, as people write it. */
export function lineText(sans: readonly string[], number: number, turn: number): string {
  return sans
    .map((san, i) => {
      const ply = turn + i;
      if (ply % 2 === 0) return `${number + Math.floor(ply / 2)}. ${san}`;
      return i === 0 ? `${number}… ${san}` : san;
    })
    .join(" ");
}
