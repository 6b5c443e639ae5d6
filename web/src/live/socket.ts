// A client of the websocket protocol hoplite.v1 without dependencies; with frames.ts it can be copied into other pages.
//
// It connects again by itself, with growing pauses, and takes every subscription up where it was: the server sends the
// events since the last version that came. Actions carry a key and are sent again until they are answered, so that each
// acts exactly once whatever happens to the connection.
import {
  CLOSE_REVOKED, PATH, PROTOCOL,
  type Ack, type Announcement, type Err, type EventFrame, type GameFrame, type Keyed, type MeFrame, type NowFrame, type Requests, type Seek, type ServerFrame, type TVChannel,
} from "./frames";

/** connected: all is well. connecting: it was lost and is being sought. closed: it will not come back by itself. */
export type ConnectionState = "connecting" | "connected" | "closed";

const CONNECTING = 0; // WebSocket.CONNECTING, which not every runtime names

/** The server refused a request. */
export class Refused extends Error {
  readonly code: string;
  readonly fields: Err["fields"];

  constructor({ code, error, fields }: Err) {
    super(error);
    this.name = "Refused";
    this.code = code;
    this.fields = fields;
  }
}

/** The connection went away before the answer came, and the request is not one that may be repeated. */
export class Lost extends Error {
  constructor() {
    super("The connection was lost before the server answered.");
    this.name = "Lost";
  }
}

export interface GameListener {
  readonly game: (frame: GameFrame) => void;
  readonly event: (frame: EventFrame) => void;
  readonly now: (frame: NowFrame) => void;
  /** The game cannot be followed. */
  readonly refused: (error: Refused) => void;
}
export interface LobbyListener {
  readonly lobby: (seeks: readonly Seek[]) => void;
  readonly added: (seek: Seek) => void;
  readonly gone: (id: string) => void;
}
export interface Options {
  /** Where the socket is; by default on the page's own host. */
  readonly url?: string;
  /** Names the account where there is no session cookie. */
  readonly token?: string;
  /** Stands in for the browser's WebSocket in tests. */
  readonly open?: (url: string, protocol: string) => WebSocket;
}

interface Waiting {
  readonly t: string;
  readonly d: object;
  readonly repeatable: boolean;
  readonly settle: (answer: Ack | Error) => void;
}
interface Followed {
  readonly listeners: Set<GameListener>;
  whole: GameFrame | undefined;
  version: number | undefined;
  behind: ReturnType<typeof setTimeout> | undefined;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
const keyed: ReadonlySet<string> = new Set<Keyed>(["move", "chat", "offer", "abort", "resign", "claim", "mute", "conditional"]);

export class Socket {
  readonly #options: Options;
  readonly #games = new Map<string, Followed>();
  readonly #lobby = new Set<LobbyListener>();
  readonly #events = new Set<(frame: MeFrame) => void>();
  /** Called with a notice to everybody, and with undefined when it does not hold any more. */
  onNotice: (notice: Announcement | undefined) => void = () => undefined;
  #noticed = false;
  readonly #tv = new Set<(channels: readonly TVChannel[]) => void>();
  readonly #states = new Set<(state: ConnectionState) => void>();
  readonly #waiting = new Map<number, Waiting>();

  #socket: WebSocket | undefined;
  #state: ConnectionState = "connecting";
  #id = 0;
  #pause = FIRST_PAUSE_MS;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #watch: ReturnType<typeof setTimeout> | undefined;
  #keepAlive = 10_000;
  #ready = false;
  #offset = 0;
  #lag: number | undefined;

  constructor(options: Options = {}) {
    this.#options = options;
    this.#connect();
    if (typeof addEventListener === "function") addEventListener("online", this.#hurry);
  }

  get state(): ConnectionState {
    return this.#state;
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
    this.#states.add(listener);
    listener(this.#state);
    return () => this.#states.delete(listener);
  }

  /** Follows a game until the returned function is called. The listener gets the whole game first. */
  follow(game: string, listener: GameListener): () => void {
    let followed = this.#games.get(game);
    if (!followed) {
      followed = { listeners: new Set(), whole: undefined, version: undefined, behind: undefined };
      this.#games.set(game, followed);
    }
    followed.listeners.add(listener);
    // A second listener needs the whole game too, and what it has become since.
    followed.version = undefined;
    if (this.#ready) this.#subscribe(game);
    return () => {
      followed.listeners.delete(listener);
      if (followed.listeners.size > 0) return;
      clearTimeout(followed.behind);
      this.#games.delete(game);
      if (this.#ready) this.#post("unsub", { topic: "game", game });
    };
  }

  followLobby(listener: LobbyListener): () => void {
    this.#lobby.add(listener);
    if (this.#ready) this.#post("sub", { topic: "lobby" });
    return () => {
      this.#lobby.delete(listener);
      if (this.#lobby.size === 0 && this.#ready) this.#post("unsub", { topic: "lobby" });
    };
  }

  /** Follows what happens to the account: games that start and end, challenges. */
  followEvents(listener: (frame: MeFrame) => void): () => void {
    this.#events.add(listener);
    if (this.#ready) this.#post("sub", { topic: "events" });
    return () => {
      this.#events.delete(listener);
      if (this.#events.size === 0 && this.#ready) this.#post("unsub", { topic: "events" });
    };
  }

  /** Follows what is on TV. */
  followTV(listener: (channels: readonly TVChannel[]) => void): () => void {
    this.#tv.add(listener);
    if (this.#ready) this.#post("sub", { topic: "tv" });
    return () => {
      this.#tv.delete(listener);
      if (this.#tv.size === 0 && this.#ready) this.#post("unsub", { topic: "tv" });
    };
  }

  /**
   * Asks the server for something. An action of a game waits for a connection and is repeated until it is answered;
   * anything else fails with Lost when the connection goes. Rejects with Refused when the server says no.
   */
  request<T extends keyof Requests>(t: T, d: Requests[T]): Promise<Ack> {
    const repeatable = keyed.has(t) || t === "rematch";
    const body = keyed.has(t) ? { ...d, key: newKey() } : d;
    return new Promise((resolve, reject) => {
      const settle = (answer: Ack | Error): void => (answer instanceof Error ? reject(answer) : resolve(answer));
      if (!this.#ready && (!repeatable || this.#state === "closed")) {
        settle(new Lost());
        return;
      }
      this.#send({ t, d: body, repeatable, settle });
    });
  }

  /** Ends the connection for good. */
  close(): void {
    if (typeof removeEventListener === "function") removeEventListener("online", this.#hurry);
    this.#end();
    const socket = this.#socket;
    // A socket that is closed while it connects makes the browser complain, so it is let open first.
    if (socket?.readyState === CONNECTING) socket.onopen = () => socket.close(1000);
    else socket?.close(1000);
  }

  #connect(): void {
    clearTimeout(this.#retry);
    const url = this.#options.url ?? `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${PATH}`;
    const socket = this.#options.open?.(url, PROTOCOL) ?? new WebSocket(url, PROTOCOL);
    this.#socket = socket;
    socket.onmessage = ({ data }) => {
      if (socket === this.#socket) this.#receive(JSON.parse(String(data)) as ServerFrame);
    };
    socket.onclose = ({ code }) => {
      if (socket === this.#socket) this.#dropped(code);
    };
    this.#guard();
  }

  // A connection that has gone silent is as good as closed, whatever the network says.
  #guard(): void {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => {
      const silent = this.#socket;
      this.#dropped(1006);
      silent?.close();
    }, this.#keepAlive * 2.5);
  }

  #dropped(code: number): void {
    this.#socket = undefined;
    this.#ready = false;
    clearTimeout(this.#watch);
    for (const [id, waiting] of this.#waiting) {
      if (waiting.repeatable && code !== CLOSE_REVOKED) continue;
      this.#waiting.delete(id);
      waiting.settle(new Lost());
    }
    if (this.#state === "closed") return;
    if (code === CLOSE_REVOKED) {
      this.#end();
      return;
    }
    this.#become("connecting");
    // The spread keeps the clients of a restarted server from coming back all at once.
    this.#retry = setTimeout(() => this.#connect(), this.#pause * (0.5 + Math.random()));
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE_MS);
  }

  readonly #hurry = (): void => {
    if (this.#state === "connecting" && !this.#socket) this.#connect();
  };

  #end(): void {
    clearTimeout(this.#retry);
    clearTimeout(this.#watch);
    for (const { behind } of this.#games.values()) clearTimeout(behind);
    this.#ready = false;
    this.#become("closed");
    for (const { settle } of this.#waiting.values()) settle(new Lost());
    this.#waiting.clear();
  }

  #notice(notice: Announcement | undefined): void {
    if (!notice && !this.#noticed) return;
    this.#noticed = notice !== undefined;
    this.onNotice(notice);
  }

  #become(state: ConnectionState): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const listener of this.#states) listener(state);
  }

  #receive(frame: ServerFrame): void {
    this.#guard();
    switch (frame.t) {
      case "hello":
        this.#keepAlive = frame.d.limits.keepAlive;
        this.#guard();
        this.#offset = frame.d.time - Date.now();
        this.#notice(undefined); // of the server before
        if (this.#options.token === undefined) this.#resume();
        else void this.#ask("auth", { token: this.#options.token }).then(() => this.#resume(), () => this.close());
        break;
      case "ack":
        this.#settle(frame.id, frame.d ?? {});
        break;
      case "err":
        if (frame.id !== undefined) this.#refused(frame.id, frame.d);
        break;
      case "game":
        this.#whole(frame.d);
        break;
      case "event":
        this.#event(frame.d);
        break;
      case "now":
        this.#games.get(frame.d.game)?.listeners.forEach((listener) => listener.now(frame.d));
        break;
      case "live":
        this.#lag = frame.d.lag;
        this.#offset = frame.d.time - Date.now() + (frame.d.lag ?? 0) / 2;
        this.#compare(frame.d.games);
        break;
      case "lobby":
        this.#lobby.forEach((listener) => listener.lobby(frame.d.seeks));
        break;
      case "seek+":
        this.#lobby.forEach((listener) => listener.added(frame.d));
        break;
      case "seek-":
        this.#lobby.forEach((listener) => listener.gone(frame.d.id));
        break;
      case "me":
        this.#events.forEach((listener) => listener(frame.d));
        break;
      case "announce":
        this.#notice(frame.d);
        break;
      case "tv":
        this.#tv.forEach((listener) => listener(frame.d.channels));
        break;
      case "resync":
      case "pong":
      case "bye":
        break; // a whole game follows a resync, and the close follows a bye
    }
  }

  // Subscriptions come first, so that a repeated action's event is not missed.
  #resume(): void {
    const unanswered = [...this.#waiting];
    this.#ready = true;
    this.#pause = FIRST_PAUSE_MS;
    for (const game of this.#games.keys()) this.#subscribe(game);
    if (this.#lobby.size > 0) this.#post("sub", { topic: "lobby" });
    if (this.#events.size > 0) this.#post("sub", { topic: "events" });
    if (this.#tv.size > 0) this.#post("sub", { topic: "tv" });
    for (const [id, { t, d }] of unanswered) this.#write({ t, id, d });
    this.#become("connected");
  }

  #subscribe(game: string): void {
    const followed = this.#games.get(game);
    if (!followed) return;
    const version = followed.version === undefined ? {} : { version: followed.version };
    this.#ask("sub", { topic: "game", game, ...version }).catch((error: unknown) => {
      if (error instanceof Refused) followed.listeners.forEach((listener) => listener.refused(error));
    });
  }

  #whole(frame: GameFrame): void {
    const followed = this.#games.get(frame.game);
    if (!followed) return;
    followed.whole = frame;
    followed.version = frame.version;
    followed.listeners.forEach((listener) => listener.game(frame));
  }

  #event(frame: EventFrame): void {
    const followed = this.#games.get(frame.game);
    if (!followed || followed.version === undefined || frame.version <= followed.version) return;
    if (frame.version > followed.version + 1) {
      this.#subscribe(frame.game); // something is missing between: ask for it
      return;
    }
    followed.version = frame.version;
    followed.listeners.forEach((listener) => listener.event(frame));
  }

  // The keep-alive tells how far each game is. Whoever is behind may just be about to get the rest, so ask a moment later.
  #compare(games: Readonly<Record<string, number>>): void {
    for (const [game, version] of Object.entries(games)) {
      const followed = this.#games.get(game);
      if (!followed || followed.version === undefined || followed.version >= version) continue;
      clearTimeout(followed.behind);
      followed.behind = setTimeout(() => {
        if (this.#ready && followed.version !== undefined && followed.version < version) this.#subscribe(game);
      }, 1000);
    }
  }

  #refused(id: number, err: Err): void {
    const waiting = this.#waiting.get(id);
    if (waiting?.repeatable && err.code === "unavailable") {
      setTimeout(() => this.#ready && this.#waiting.has(id) && this.#write({ t: waiting.t, id, d: waiting.d }), err.retry ?? 1000);
      return;
    }
    this.#settle(id, new Refused(err));
  }

  #settle(id: number, answer: Ack | Error): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.settle(answer);
  }

  #ask(t: string, d: object): Promise<Ack> {
    return new Promise((resolve, reject) => {
      this.#send({ t, d, repeatable: false, settle: (answer) => (answer instanceof Error ? reject(answer) : resolve(answer)) });
    });
  }

  #post(t: string, d: object): void {
    this.#write({ t, d });
  }

  #send(waiting: Waiting): void {
    const id = ++this.#id;
    this.#waiting.set(id, waiting);
    // Before the greeting only auth may go out; the rest is sent by #resume.
    if (this.#ready || waiting.t === "auth") this.#write({ t: waiting.t, id, d: waiting.d });
  }

  #write(frame: { t: string; id?: number; d: object }): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }
}

function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
