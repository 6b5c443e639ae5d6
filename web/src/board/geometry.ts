// Where things are on the picture of a board. Pure: cells in, numbers and path data out.
import type { BoardStyle, Cell } from "./types";

/** Picture units for one square of the board. Large units keep focus rings and strokes sharp. */
export const UNIT = 100;

/** A board as it is drawn for one seat. */
export interface Picture {
  readonly viewBox: string;
  readonly width: number;
  readonly height: number;
  readonly cells: readonly DrawnCell[];
  readonly byName: ReadonlyMap<string, DrawnCell>;
  /** The lines of a board on whose crossings men stand, as path data. */
  readonly lines: string;
}

export interface DrawnCell {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly shade: number;
  readonly zone?: string;
  /** The greatest circle around the centre that the cell holds, 1 being that of a square. */
  readonly room: number;
  /** How large a man is drawn: in narrow cells he may reach over the edges a little. */
  readonly scale: number;
  readonly corners: readonly (readonly [number, number])[];
  readonly d: string;
}

/** Draws the cells as a seat sees them: turned by the given angle, in degrees clockwise. */
export function picture(cells: readonly Cell[], turn: number, lines: NonNullable<BoardStyle["lines"]> = []): Picture {
  const sin = Math.round(Math.sin((turn * Math.PI) / 180) * 1e9) / 1e9;
  const cos = Math.round(Math.cos((turn * Math.PI) / 180) * 1e9) / 1e9;
  const spin = (x: number, y: number): [number, number] => [(x * cos - y * sin) * UNIT, (x * sin + y * cos) * UNIT];

  const corners = cells.map((cell) => cell.outline.map(([x, y]) => spin(x, y)));
  const xs = corners.flat().map(([x]) => x);
  const ys = corners.flat().map(([, y]) => y);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const width = Math.max(...xs) - left;
  const height = Math.max(...ys) - top;

  const drawn = cells.map((cell, i): DrawnCell => {
    const [x, y] = spin(cell.x, cell.y);
    const room = Math.min(1, roomAround(x, y, corners[i] ?? []) / (UNIT / 2));
    const shifted = (corners[i] ?? []).map(([cx, cy]) => [cx - left, cy - top] as const);
    return {
      name: cell.name,
      shade: cell.shade ?? 0,
      ...(cell.zone === undefined ? {} : { zone: cell.zone }),
      room,
      scale: Math.min(1, room * 1.25),
      x: x - left,
      y: y - top,
      corners: shifted,
      d: `M${shifted.map(([cx, cy]) => `${round(cx)} ${round(cy)}`).join("L")}z`,
    };
  });
  return {
    viewBox: `0 0 ${round(width)} ${round(height)}`,
    width,
    height,
    cells: drawn,
    byName: new Map(drawn.map((cell) => [cell.name, cell])),
    lines: lines.map(([x1 = 0, y1 = 0, x2 = 0, y2 = 0]) => {
      const ends = [spin(x1, y1), spin(x2, y2)];
      return `M${ends.map(([x, y]) => `${round(x - left)} ${round(y - top)}`).join("L")}`;
    }).join(""),
  };
}

/** The distance of a point to the nearest side of a shape around it. */
function roomAround(x: number, y: number, corners: readonly (readonly [number, number])[]): number {
  return Math.min(...corners.map(([ax, ay], i) => {
    const [bx, by] = corners[(i + 1) % corners.length] ?? [ax, ay];
    const [dx, dy] = [bx - ax, by - ay];
    const along = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
    return Math.hypot(ax + along * dx - x, ay + along * dy - y);
  }));
}

/** The width of the picture of some cells divided by its height. */
export function ratio(cells: readonly unknown[]): number {
  const { width, height } = picture(cells as readonly Cell[], 0);
  return width / height || 1;
}

/** The cell under a point of the picture. */
export function cellAt(board: Picture, x: number, y: number): DrawnCell | undefined {
  return board.cells.find((cell) => inside(cell.corners, x, y));
}

/**
 * The next cell in the direction of an arrow key: the nearest one whose centre lies in that quarter. It works on every
 * shape of board, since it asks only where the centres are.
 */
export function neighbour(board: Picture, from: string, dx: number, dy: number): string | undefined {
  const start = board.byName.get(from);
  if (!start) return undefined;
  let best: DrawnCell | undefined;
  let least = Infinity;
  for (const cell of board.cells) {
    const [ex, ey] = [cell.x - start.x, cell.y - start.y];
    const along = ex * dx + ey * dy;
    const aside = Math.abs(ex * dy) + Math.abs(ey * dx);
    if (along <= 1 || aside > along) continue;
    const cost = along + 2 * aside;
    if (cost < least) [best, least] = [cell, cost];
  }
  return best?.name;
}

/** An arrow from one cell to another, as path data; it starts at the edge of the man and ends before the centre. */
export function arrow(board: Picture, from: string, to: string): string {
  const [a, b] = [board.byName.get(from), board.byName.get(to)];
  if (!a || !b) return "";
  if (a === b) return `M${round(a.x - 42)} ${round(a.y)}a42 42 0 1 0 84 0a42 42 0 1 0 -84 0z`;
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  const [ux, uy] = [(b.x - a.x) / length, (b.y - a.y) / length];
  const point = (along: number, aside: number): string =>
    `${round(a.x + ux * along - uy * aside)} ${round(a.y + uy * along + ux * aside)}`;
  const [tail, neck, tip, shaft, head] = [32, length - 38, length - 6, 8, 22];
  const points = [
    point(tail, shaft), point(neck, shaft), point(neck, head), point(tip, 0),
    point(neck, -head), point(neck, -shaft), point(tail, -shaft),
  ];
  return `M${points.join("L")}z`;
}

/** A line through the cells of a move of several steps, as path data. */
export function trail(board: Picture, cells: readonly string[]): string {
  const points = cells.map((cell) => board.byName.get(cell)).filter((cell) => cell !== undefined);
  return points.length < 2 ? "" : `M${points.map(({ x, y }) => `${round(x)} ${round(y)}`).join("L")}`;
}

/** The cells that a move names, in their order. */
export function cellsIn(move: string, names: Iterable<string>): readonly string[] {
  const known = [...names].sort((a, b) => b.length - a.length).map((name) => name.replace(/[|\\^$.*+?()[\]{}]/g, "\\$&"));
  return known.length === 0 ? [] : (move.match(new RegExp(`(?:${known.join("|")})(?!\\d)`, "g")) ?? []);
}

/**
 * The angle that brings the men of a seat to the lower edge, for a board that the given number of players surround: they
 * sit clockwise in the order of their turns.
 */
export function turnFor(seat: number, seats: number): number {
  return seat <= 0 ? 0 : (360 / seats) * (seats - seat);
}

/** The other seats in the order of their turns after the one at the lower edge. */
export function othersOf(bottom: number, seats: number): readonly number[] {
  return Array.from({ length: seats - 1 }, (_, i) => (bottom + 1 + i) % seats);
}

function inside(corners: readonly (readonly [number, number])[], x: number, y: number): boolean {
  let hit = false;
  corners.forEach(([ax, ay], i) => {
    const [bx, by] = corners[(i + 1) % corners.length] ?? [ax, ay];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) hit = !hit;
  });
  return hit;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
