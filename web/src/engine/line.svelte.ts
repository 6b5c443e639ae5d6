// A game on this page alone: a line of moves, and which position of it is looked at.
import { engine } from "./engine";
import type { Line, State } from "./protocol";

export class LocalLine {
  /** All of the line, as the rules core sees it; undefined until it has answered. */
  whole: State | undefined = $state.raw();
  /** The position looked at, after `at` plies. */
  shown: State | undefined = $state.raw();
  at = $state(0);
  /** Why the last wish was not granted. */
  trouble = $state("");
  #base: Line = { key: "" };
  #turn = 0;

  get moves(): readonly string[] {
    return this.whole?.plies.map(({ move }) => move) ?? [];
  }

  get sans(): readonly string[] {
    return this.whole?.plies.map(({ san }) => san) ?? [];
  }

  /** Whose each ply was. */
  get turns(): readonly number[] {
    return this.whole?.plies.map(({ turn }) => turn) ?? [];
  }

  /** The line up to the position looked at. */
  get line(): Line {
    return { ...this.#base, moves: this.moves.slice(0, this.at) };
  }

  /** All of it. */
  get all(): Line {
    return { ...this.#base, moves: this.moves };
  }

  get lastMove(): readonly string[] {
    return this.whole?.plies[this.at - 1]?.cells ?? [];
  }

  get atEnd(): boolean {
    return this.at === this.moves.length;
  }

  /** Begins anew; on trouble everything stays as it was. Tells whether it went well. */
  async open(line: Line): Promise<boolean> {
    const turn = ++this.#turn;
    try {
      const state = await engine().state(line);
      if (turn !== this.#turn) return false;
      this.#base = { key: line.key, fen: state.start };
      this.#settle(state, state, state.plies.length);
      return true;
    } catch (error) {
      if (turn === this.#turn) this.trouble = textOf(error);
      return false;
    }
  }

  /** Plays a move from the position looked at. What came after it before is forgotten. */
  async play(move: string): Promise<boolean> {
    const { key, fen } = this.#base;
    if (this.moves[this.at] === move) return this.show(this.at + 1);
    return this.open({ key, ...(fen === undefined ? {} : { fen }), moves: [...this.moves.slice(0, this.at), move] });
  }

  /** Looks at the position after a number of plies. */
  async show(plies: number): Promise<boolean> {
    if (!this.whole) return false;
    const at = Math.max(0, Math.min(plies, this.moves.length));
    const turn = ++this.#turn;
    try {
      const state = at === this.moves.length ? this.whole : await engine().state({ ...this.#base, moves: this.moves.slice(0, at) });
      if (turn !== this.#turn) return false;
      this.#settle(this.whole, state, at);
      return true;
    } catch (error) {
      if (turn === this.#turn) this.trouble = textOf(error);
      return false;
    }
  }

  /** Forgets the last plies. */
  back(plies = 1): Promise<boolean> {
    return this.open({ ...this.#base, moves: this.moves.slice(0, Math.max(0, this.moves.length - plies)) });
  }

  pgn(tags: readonly (readonly [string, string])[], result = ""): Promise<string> {
    return engine().ask("writePGN", { ...this.all, tags, result });
  }

  #settle(whole: State, shown: State, at: number): void {
    this.whole = whole;
    this.shown = shown;
    this.at = at;
    this.trouble = "";
  }
}

/** An error as a sentence. */
export function textOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.charAt(0).toUpperCase() + text.slice(1);
}
