// Which man went where between two placements, so that the picture can let it glide. Pure.
import type { DrawnCell, Picture } from "./geometry";
import type { Man, Placement } from "./types";

/** A man on the picture, with an identity that stays while it moves. */
export interface Tracked {
  readonly id: number;
  readonly cell: string;
  readonly man: Man;
}

/**
 * Carries identities over to a new placement: men that stand still keep theirs, and each man that has appeared takes that
 * of the nearest equal man that has gone. What is left over is new.
 */
export function track(before: readonly Tracked[], now: Placement, board: Picture): readonly Tracked[] {
  const after: Tracked[] = [];
  const gone: Tracked[] = [];
  const still = new Set<string>();
  for (const old of before) {
    const man = now.get(old.cell);
    if (man && same(man, old.man)) {
      after.push({ ...old, man });
      still.add(old.cell);
    } else {
      gone.push(old);
    }
  }
  let next = before.reduce((most, { id }) => Math.max(most, id), 0) + 1;
  for (const [cell, man] of now) {
    if (still.has(cell)) continue;
    const from = nearest(gone, man, board.byName.get(cell), board);
    if (from) gone.splice(gone.indexOf(from), 1);
    after.push({ id: from?.id ?? next++, cell, man });
  }
  // A stable order keeps the elements in place, so that only those that move are touched.
  return after.sort((a, b) => a.id - b.id);
}

function nearest(gone: readonly Tracked[], man: Man, to: DrawnCell | undefined, board: Picture): Tracked | undefined {
  let best: Tracked | undefined;
  let least = Infinity;
  for (const candidate of gone) {
    const from = board.byName.get(candidate.cell);
    if (!from || !to || !same(candidate.man, man)) continue;
    const distance = Math.hypot(from.x - to.x, from.y - to.y);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

function same(a: Man, b: Man): boolean {
  return a.side === b.side && a.letter === b.letter;
}
