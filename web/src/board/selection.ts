// How pointing at cells becomes a move, for moves of any number of steps. Pure, so that every sequence of clicks is a
// test: the state is the path pointed at so far, and each click gives the next state.
import type { MoveOption } from "./types";

/** What has been pointed at: nothing, or the first elements of some moves. */
export type Path = readonly string[];

export type Outcome =
  /** Nothing is chosen. */
  | { readonly kind: "none" }
  /** Some moves begin like this; more must follow, or may. */
  | { readonly kind: "partial"; readonly path: Path }
  /** Exactly one move is meant. */
  | { readonly kind: "move"; readonly option: MoveOption }
  /** Several moves follow the same cells: the player must say which. */
  | { readonly kind: "choose"; readonly path: Path; readonly options: readonly MoveOption[] };

/** The moves that begin with a path. */
export function matching(options: readonly MoveOption[], path: Path): readonly MoveOption[] {
  return options.filter((option) => path.every((cell, i) => option.path[i] === cell));
}

/** The moves that a path is all of. */
export function complete(options: readonly MoveOption[], path: Path): readonly MoveOption[] {
  return matching(options, path).filter((option) => option.path.length === path.length);
}

/** What may be pointed at next. */
export function targets(options: readonly MoveOption[], path: Path): ReadonlySet<string> {
  if (path.length === 0) return new Set();
  const next = matching(options, path).map((option) => option.path[path.length]);
  return new Set(next.filter((cell) => cell !== undefined));
}

/** The cells and men beside the board that some move begins with. */
export function origins(options: readonly MoveOption[]): ReadonlySet<string> {
  return new Set(options.map((option) => option.path[0]).filter((cell) => cell !== undefined));
}

/** What may be pointed at: the beginnings of moves, and what goes on from the path. */
export function pointable(options: readonly MoveOption[], path: Path): ReadonlySet<string> {
  return new Set([...origins(options), ...targets(options, path)]);
}

/**
 * Points at a cell. A path that is a move but could go on waits: pointing at its last cell again ends it. A cell that
 * continues no move lets go of the path; if a move begins with it, it is taken up instead. Pointing again at the start of
 * a path of one cell lets it go, unless a move ends there (a man may act in place).
 */
export function point(options: readonly MoveOption[], path: Path, cell: string): Outcome {
  const longer = [...path, cell];
  const found = matching(options, longer);
  if (found.length > 0) return settle(found, longer);
  const again = path.at(-1) === cell;
  if (again && complete(options, path).length > 0) return finish(options, path);
  if (!(again && path.length === 1) && origins(options).has(cell)) return settle(matching(options, [cell]), [cell]);
  return { kind: "none" };
}

/** Ends a path where it is. */
export function finish(options: readonly MoveOption[], path: Path): Outcome {
  const ended = complete(options, path);
  const [only] = ended;
  if (!only) return { kind: "none" };
  return ended.length === 1 ? { kind: "move", option: only } : { kind: "choose", path, options: ended };
}

function settle(found: readonly MoveOption[], path: Path): Outcome {
  return found.some((option) => option.path.length > path.length) ? { kind: "partial", path } : finish(found, path);
}
