// The connection itself: it is made again by itself, with growing pauses, and one that has gone silent counts as lost.
import { CLOSE_REVOKED, PATH, PROTOCOL, type ServerFrame } from "./frames";

/** connected: all is well. connecting: it was lost and is being sought. closed: it will not come back by itself. */
export type ConnectionState = "connecting" | "connected" | "closed";

export interface LinkOptions {
  /** Where the socket is; by default on the page's own host. */
  readonly url?: string;
  /** Stands in for the browser's WebSocket in tests. */
  readonly open?: (url: string, protocol: string) => WebSocket;
}

/** What the owner of a link hears. */
export interface LinkOwner {
  readonly heard: (frame: ServerFrame) => void;
  /** The connection is gone; if it is revoked, for good. */
  readonly lost: (revoked: boolean) => void;
  /** There will be no other. */
  readonly ended: () => void;
}

const CONNECTING = 0; // WebSocket.CONNECTING, which not every runtime names
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

export class Link {
  readonly #options: LinkOptions;
  readonly #owner: LinkOwner;
  readonly #states = new Set<(state: ConnectionState) => void>();
  #socket: WebSocket | undefined;
  #state: ConnectionState = "connecting";
  #pause = FIRST_PAUSE_MS;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #watch: ReturnType<typeof setTimeout> | undefined;
  #keepAlive = 10_000;

  constructor(options: LinkOptions, owner: LinkOwner) {
    [this.#options, this.#owner] = [options, owner];
    this.#connect();
    if (typeof addEventListener === "function") addEventListener("online", this.#hurry);
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** Tells about the connection, now and whenever it changes. */
  watch(listener: (state: ConnectionState) => void): () => void {
    this.#states.add(listener);
    listener(this.#state);
    return () => this.#states.delete(listener);
  }

  /** Takes note of how often the server says something, in milliseconds. */
  expect(keepAlive: number): void {
    this.#keepAlive = keepAlive;
    this.#guard();
  }

  /** The server has greeted, and all has been asked for again. */
  settled(): void {
    this.#pause = FIRST_PAUSE_MS;
    this.#become("connected");
  }

  write(frame: { t: string; id?: number; d: object }): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
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
      if (socket !== this.#socket) return;
      this.#guard();
      this.#owner.heard(JSON.parse(String(data)) as ServerFrame);
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
    clearTimeout(this.#watch);
    const revoked = code === CLOSE_REVOKED;
    this.#owner.lost(revoked);
    if (this.#state === "closed") return;
    if (revoked) {
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
    this.#become("closed");
    this.#owner.ended();
  }

  #become(state: ConnectionState): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const listener of this.#states) listener(state);
  }
}
