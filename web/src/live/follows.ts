// What is followed: games, each from the last version that came, and topics that always begin anew.
import { Refused } from "./asks";
import type { Ack, EventFrame, GameFrame, NowFrame } from "./frames";

/** How one asks for things over the connection as it is now. */
export interface Sender {
  /** Whether the server has greeted. */
  readonly ready: () => boolean;
  readonly post: (t: string, d: object) => void;
  readonly ask: (t: string, d: object) => Promise<Ack>;
}

export interface GameListener {
  readonly game: (frame: GameFrame) => void;
  readonly event: (frame: EventFrame) => void;
  readonly now: (frame: NowFrame) => void;
  /** The game cannot be followed. */
  readonly refused: (error: Refused) => void;
}

interface Followed {
  readonly listeners: Set<GameListener>;
  version: number | undefined;
  behind: ReturnType<typeof setTimeout> | undefined;
}

export class Games {
  readonly #sender: Sender;
  readonly #games = new Map<string, Followed>();

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Follows a game until the returned function is called. The listener gets the whole game first. */
  follow(game: string, listener: GameListener): () => void {
    let followed = this.#games.get(game);
    if (!followed) {
      followed = { listeners: new Set(), version: undefined, behind: undefined };
      this.#games.set(game, followed);
    }
    followed.listeners.add(listener);
    // A second listener needs the whole game too, and what it has become since.
    followed.version = undefined;
    if (this.#sender.ready()) this.#subscribe(game);
    return () => {
      followed.listeners.delete(listener);
      if (followed.listeners.size > 0) return;
      clearTimeout(followed.behind);
      this.#games.delete(game);
      if (this.#sender.ready()) this.#sender.post("unsub", { topic: "game", game });
    };
  }

  /** Takes up all games on a new connection. */
  resume(): void {
    for (const game of this.#games.keys()) this.#subscribe(game);
  }

  whole(frame: GameFrame): void {
    const followed = this.#games.get(frame.game);
    if (!followed) return;
    followed.version = frame.version;
    followed.listeners.forEach((listener) => listener.game(frame));
  }

  event(frame: EventFrame): void {
    const followed = this.#games.get(frame.game);
    if (!followed || followed.version === undefined || frame.version <= followed.version) return;
    if (frame.version > followed.version + 1) {
      this.#subscribe(frame.game); // something is missing between: ask for it
      return;
    }
    followed.version = frame.version;
    followed.listeners.forEach((listener) => listener.event(frame));
  }

  now(frame: NowFrame): void {
    this.#games.get(frame.game)?.listeners.forEach((listener) => listener.now(frame));
  }

  /** Hears how far each game is. Whoever is behind may just be about to get the rest, so it asks a moment later. */
  compare(games: Readonly<Record<string, number>>): void {
    for (const [game, version] of Object.entries(games)) {
      const followed = this.#games.get(game);
      if (!followed || followed.version === undefined || followed.version >= version) continue;
      clearTimeout(followed.behind);
      followed.behind = setTimeout(() => {
        if (this.#sender.ready() && followed.version !== undefined && followed.version < version) this.#subscribe(game);
      }, 1000);
    }
  }

  end(): void {
    for (const { behind } of this.#games.values()) clearTimeout(behind);
  }

  #subscribe(game: string): void {
    const followed = this.#games.get(game);
    if (!followed) return;
    const version = followed.version === undefined ? {} : { version: followed.version };
    this.#sender.ask("sub", { topic: "game", game, ...version }).catch((error: unknown) => {
      if (error instanceof Refused) followed.listeners.forEach((listener) => listener.refused(error));
    });
  }
}

/** A topic that has no versions: the server says all of it when it is followed. */
export class Topic<Listener> {
  readonly #sender: Sender;
  readonly #name: string;
  readonly #listeners = new Set<Listener>();

  constructor(sender: Sender, name: string) {
    [this.#sender, this.#name] = [sender, name];
  }

  follow(listener: Listener): () => void {
    this.#listeners.add(listener);
    if (this.#sender.ready()) this.#sender.post("sub", { topic: this.#name });
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0 && this.#sender.ready()) this.#sender.post("unsub", { topic: this.#name });
    };
  }

  resume(): void {
    if (this.#listeners.size > 0) this.#sender.post("sub", { topic: this.#name });
  }

  tell(what: (listener: Listener) => void): void {
    this.#listeners.forEach(what);
  }
}
