// What a cell is in words, for those who do not see the board. Pure.
import { NOBODY, type Man } from "./types";

interface State {
  readonly selected: boolean;
  readonly reachable: boolean;
  readonly check: boolean;
  readonly zone?: string | undefined;
  /** What stands there may not be known. */
  readonly unknown?: boolean;
}

const owners = ["first", "second"] as const;

function manText({ side, name }: Man): string {
  if (side === NOBODY) return name;
  return `${owners[side] ?? `seat ${side + 1}`} player's ${name}`;
}

export function describeCell(cell: string, man: Man | undefined, { selected, reachable, check, zone, unknown }: State): string {
  const what = man ? [man, ...(man.partner ? [man.partner] : [])].map(manText).join(" with ") : unknown ? "unknown" : "empty";
  return [
    cell, what, ...(zone ? [zone] : []), ...(selected ? ["selected"] : []), ...(reachable ? ["can be reached"] : []), ...(check ? ["in check"] : []),
  ].join(", ");
}
