// Where the names of ranks, files and cells are written. Pure.
import { cellAt, UNIT, type Picture } from "./geometry";

export interface Rim {
  readonly key: string;
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly anchor: "start" | "middle" | "end";
  readonly shade: number;
}

/**
 * On boards of squares letters stand along the lower edge and numbers along the left one, wherever that edge runs, or the
 * other way round. Where cells have other shapes ranks and files bend: every cell bears its name.
 */
export function rims(board: Picture): readonly Rim[] {
  const squares = board.cells.every(({ corners }) => corners.length === 4) && board.cells.every(({ room }) => room > 0.95);
  if (!squares) {
    return board.cells.map(({ name, x, y, room, shade }) => ({ key: name, text: name, x, y: y + UNIT * (0.5 * room - 0.06), anchor: "middle", shade }));
  }
  // A board that is turned by a quarter has its files in rows.
  const lies = board.cells.some(({ name, x, y }) => {
    const beside = cellAt(board, x + UNIT, y);
    return beside !== undefined && parts(beside.name).file === parts(name).file;
  });
  const outside = (x: number, y: number): boolean => cellAt(board, x, y) === undefined;
  return board.cells.flatMap(({ name, x, y, shade }): Rim[] => {
    const { file, rank } = parts(name);
    const [below, left] = lies ? [rank, file] : [file, rank];
    return [
      ...(outside(x, y + UNIT) ? [{ key: `f${name}`, text: below, x: x + 44, y: y + 45, anchor: "end" as const, shade }] : []),
      ...(outside(x - UNIT, y) ? [{ key: `r${name}`, text: left, x: x - 46, y: y - 30, anchor: "start" as const, shade }] : []),
    ];
  });
}

function parts(name: string): { readonly file: string; readonly rank: string } {
  const [, file = "", rank = ""] = /^(.*?)(\d+)$/.exec(name) ?? [];
  return { file, rank };
}
