// A client of the websocket protocol hoplite.v1 without dependencies; with the files that it imports it can be copied into
// other pages.
//
// It connects again by itself, with growing pauses, and takes every subscription up where it was: the server sends the
// events since the last version that came. Actions carry a key and are sent again until they are answered, so that each
// acts exactly once whatever happens to the connection.
import { Asks, Lost, newKey, Refused } from "./asks";
import { Games, Topic, type GameListener, type Sender } from "./follows";
import type { Ack, Announcement, Keyed, MeFrame, Requests, Seek, ServerFrame, TVChannel } from "./frames";
import { Link, type ConnectionState, type LinkOptions } from "./link";

export { Lost, Refused, type ConnectionState, type GameListener };

export interface LobbyListener {
  readonly lobby: (seeks: readonly Seek[]) => void;
  readonly added: (seek: Seek) => void;
  readonly gone: (id: string) => void;
}
export interface Options extends LinkOptions {
  /** Names the account where there is no session cookie. */
  readonly token?: string;
}

const keyed: ReadonlySet<string> = new Set<Keyed>(["move", "chat", "offer", "abort", "resign", "claim", "mute", "conditional"]);

export class Socket {
  /** Called with a notice to everybody, and with undefined when it does not hold any more. */
  onNotice: (notice: Announcement | undefined) => void = () => undefined;

  readonly #token: string | undefined;
  readonly #link: Link;
  readonly #asks: Asks;
  readonly #games: Games;
  readonly #lobby: Topic<LobbyListener>;
  readonly #events: Topic<(frame: MeFrame) => void>;
  readonly #tv: Topic<(channels: readonly TVChannel[]) => void>;
  #ready = false;
  #noticed = false;
  #offset = 0;
  #lag: number | undefined;

  constructor(options: Options = {}) {
    this.#token = options.token;
    this.#asks = new Asks((frame) => this.#link.write(frame), () => this.#ready);
    const sender: Sender = {
      ready: () => this.#ready,
      post: (t, d) => this.#link.write({ t, d }),
      ask: (t, d) => this.#asks.ask(t, d, false),
    };
    this.#games = new Games(sender);
    this.#lobby = new Topic(sender, "lobby");
    this.#events = new Topic(sender, "events");
    this.#tv = new Topic(sender, "tv");
    this.#link = new Link(options, {
      heard: (frame) => this.#receive(frame),
      lost: (revoked) => {
        this.#ready = false;
        this.#asks.lose(revoked);
      },
      ended: () => {
        this.#ready = false;
        this.#games.end();
        this.#asks.lose(true);
      },
    });
  }

  get state(): ConnectionState {
    return this.#link.state;
  }

  /** Milliseconds of a round trip as the server measured it. */
  get lag(): number | undefined {
    return this.#lag;
  }

  /** The server's time now, in milliseconds since the epoch. */
  serverTime(): number {
    return Date.now() + this.#offset;
  }

  /** Tells about the connection, now and whenever it changes. */
  watch(listener: (state: ConnectionState) => void): () => void {
    return this.#link.watch(listener);
  }

  /** Follows a game until the returned function is called. The listener gets the whole game first. */
  follow(game: string, listener: GameListener): () => void {
    return this.#games.follow(game, listener);
  }

  followLobby(listener: LobbyListener): () => void {
    return this.#lobby.follow(listener);
  }

  /** Follows what happens to the account: games that start and end, challenges. */
  followEvents(listener: (frame: MeFrame) => void): () => void {
    return this.#events.follow(listener);
  }

  /** Follows what is on TV. */
  followTV(listener: (channels: readonly TVChannel[]) => void): () => void {
    return this.#tv.follow(listener);
  }

  /**
   * Asks the server for something. An action of a game waits for a connection and is repeated until it is answered;
   * anything else fails with Lost when the connection goes. Rejects with Refused when the server says no.
   */
  request<T extends keyof Requests>(t: T, d: Requests[T]): Promise<Ack> {
    const repeatable = keyed.has(t) || t === "rematch";
    if (!this.#ready && (!repeatable || this.state === "closed")) return Promise.reject(new Lost());
    return this.#asks.ask(t, keyed.has(t) ? { ...d, key: newKey() } : d, repeatable);
  }

  /** Ends the connection for good. */
  close(): void {
    this.#link.close();
  }

  #receive(frame: ServerFrame): void {
    switch (frame.t) {
      case "hello":
        this.#link.expect(frame.d.limits.keepAlive);
        this.#offset = frame.d.time - Date.now();
        this.#notice(undefined); // of the server before
        if (this.#token === undefined) this.#resume();
        else void this.#asks.ask("auth", { token: this.#token }, false).then(() => this.#resume(), () => this.close());
        break;
      case "ack":
        this.#asks.settle(frame.id, frame.d ?? {});
        break;
      case "err":
        if (frame.id !== undefined) this.#asks.refused(frame.id, frame.d);
        break;
      case "game":
        this.#games.whole(frame.d);
        break;
      case "event":
        this.#games.event(frame.d);
        break;
      case "now":
        this.#games.now(frame.d);
        break;
      case "live":
        this.#lag = frame.d.lag;
        this.#offset = frame.d.time - Date.now() + (frame.d.lag ?? 0) / 2;
        this.#games.compare(frame.d.games);
        break;
      case "lobby":
        this.#lobby.tell((listener) => listener.lobby(frame.d.seeks));
        break;
      case "seek+":
        this.#lobby.tell((listener) => listener.added(frame.d));
        break;
      case "seek-":
        this.#lobby.tell((listener) => listener.gone(frame.d.id));
        break;
      case "me":
        this.#events.tell((listener) => listener(frame.d));
        break;
      case "announce":
        this.#notice(frame.d);
        break;
      case "tv":
        this.#tv.tell((listener) => listener(frame.d.channels));
        break;
      case "resync":
      case "pong":
      case "bye":
        break; // a whole game follows a resync, and the close follows a bye
    }
  }

  // Subscriptions come first, so that a repeated action's event is not missed.
  #resume(): void {
    const askAgain = this.#asks.again();
    this.#ready = true;
    this.#games.resume();
    this.#lobby.resume();
    this.#events.resume();
    this.#tv.resume();
    askAgain();
    this.#link.settled();
  }

  #notice(notice: Announcement | undefined): void {
    if (!notice && !this.#noticed) return;
    this.#noticed = notice !== undefined;
    this.onNotice(notice);
  }
}
