// The cells of a board in rows from top to bottom as a seat sees them. Pure.
import { picture, turnFor, UNIT } from "./geometry";
import type { Cell } from "./types";

export interface Row {
  readonly name: string;
  readonly cells: readonly string[];
}

/** Rows are cells at the same height; a row is called by what the names of its cells share. */
export function rowsOf(cells: readonly unknown[], seat: number, seats: number): readonly Row[] {
  const board = picture(cells as readonly Cell[], turnFor(seat, seats));
  const rows = new Map<number, { x: number; name: string }[]>();
  for (const { name, x, y } of board.cells) {
    const height = Math.round((y / UNIT) * 4);
    rows.set(height, [...(rows.get(height) ?? []), { x, name }]);
  }
  return [...rows.entries()]
    .sort(([a], [b]) => a - b)
    .map(([height, found]) => {
      const names = found.sort((a, b) => a.x - b.x).map(({ name }) => name);
      const ends = new Set(names.map((name) => /\d+$/.exec(name)?.[0]));
      const [rank] = ends;
      return { name: ends.size === 1 && rank !== undefined ? rank : `row ${height}`, cells: names };
    });
}
