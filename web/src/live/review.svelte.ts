// What of a game its page shows: the present position, an earlier one, or one that is tried out for a conditional line.
// Other positions than the present are worked out by the rules core, which loads only then.
import type { Scene } from "../board/scene";
import type { LiveGame } from "./game.svelte";

export class Review {
  /** How many plies are looked at; undefined follows the game. */
  looking: number | undefined = $state();
  /** Moves that are tried out from the present position; undefined while none are. */
  trying: readonly string[] | undefined = $state.raw();
  /** Why the last wish was not granted. */
  trouble = $state("");

  #past: Scene | undefined = $state.raw();
  #tried: { readonly scene: Scene; readonly own: boolean } | undefined = $state.raw();
  #asked = 0; // only the last answer is shown
  readonly #live: () => LiveGame | undefined;
  readonly #key: () => string;

  /** The key is that of the game's rules. */
  constructor(live: () => LiveGame | undefined, key: () => string) {
    [this.#live, this.#key] = [live, key];
  }

  get plies(): number {
    return this.#live()?.frame?.moves.length ?? 0;
  }
  /** After how many plies the shown position is. */
  get shown(): number {
    return this.looking ?? this.plies;
  }
  /** Whether the present position is shown, in which moves are made. */
  get present(): boolean {
    return this.looking === undefined && this.trying === undefined;
  }
  get scene(): Scene | undefined {
    if (this.trying) return this.#tried?.scene;
    return this.looking === undefined || this.looking === this.plies ? this.#live()?.scene : this.#past;
  }
  /** Whether the move tried out last is one's own. */
  get endsWithOwn(): boolean {
    return this.#tried?.own === true;
  }

  /** Shows the present position again: something has happened there. */
  reset(): void {
    this.#begin();
    this.looking = this.trying = undefined;
  }

  async look(ply: number): Promise<void> {
    const frame = this.#live()?.frame;
    if (!frame) return;
    const mine = this.#begin();
    if (ply >= this.plies) {
      this.looking = undefined;
      return;
    }
    const line = { key: this.#key(), fen: frame.initialFen, moves: frame.moves.slice(0, ply).map(({ m }) => m) };
    const { engine } = await import("../engine/engine");
    try {
      const { scene } = await engine().state(line);
      if (mine === this.#asked) [this.#past, this.looking] = [scene, ply];
    } catch {
      if (mine === this.#asked) this.trouble = "This position cannot be shown.";
    }
  }

  /** Tries moves out; without any the game is shown again. */
  async attempt(moves: readonly string[] | undefined): Promise<void> {
    const live = this.#live();
    if (!live?.frame) return;
    const mine = this.#begin();
    this.looking = undefined;
    if (!moves) {
      this.trying = undefined;
      return;
    }
    const line = { key: this.#key(), fen: live.frame.initialFen, moves: [...live.frame.moves.map(({ m }) => m), ...moves] };
    const { engine } = await import("../engine/engine");
    try {
      const state = await engine().state(line);
      // Within a turn of several moves it is the same player's again.
      const own = moves.length > 0 && state.plies.at(-1)?.turn === live.seat && (state.outcome !== undefined || state.scene.turn !== live.seat);
      if (mine === this.#asked) [this.trying, this.#tried] = [moves, { scene: state.scene, own }];
    } catch {
      if (mine === this.#asked) this.trouble = "This move cannot be tried out.";
    }
  }

  /** Another wish: those before it are void, and so is what became of them. */
  #begin(): number {
    this.trouble = "";
    return ++this.#asked;
  }
}
