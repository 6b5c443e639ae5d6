// What was asked of the server and is not answered yet. Actions of a game outlive a connection: they carry a key, and are
// sent again until they are answered.
import type { Ack, Err } from "./frames";

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

interface Waiting {
  readonly t: string;
  readonly d: object;
  readonly repeatable: boolean;
  readonly settle: (answer: Ack | Error) => void;
}

type Write = (frame: { t: string; id: number; d: object }) => void;

/** Before the greeting only this may go out. */
const FIRST = "auth";

export class Asks {
  readonly #waiting = new Map<number, Waiting>();
  readonly #write: Write;
  readonly #ready: () => boolean;
  #id = 0;

  constructor(write: Write, ready: () => boolean) {
    [this.#write, this.#ready] = [write, ready];
  }

  /** Asks, now or as soon as the connection is ready. */
  ask(t: string, d: object, repeatable: boolean): Promise<Ack> {
    return new Promise((resolve, reject) => {
      const id = ++this.#id;
      this.#waiting.set(id, { t, d, repeatable, settle: (answer) => (answer instanceof Error ? reject(answer) : resolve(answer)) });
      if (this.#ready() || t === FIRST) this.#write({ t, id, d });
    });
  }

  settle(id: number, answer: Ack | Error): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.settle(answer);
  }

  /** Hears a refusal. What the server cannot do just now is asked again, if that may be. */
  refused(id: number, err: Err): void {
    const waiting = this.#waiting.get(id);
    if (waiting?.repeatable && err.code === "unavailable") {
      setTimeout(() => this.#ready() && this.#waiting.has(id) && this.#write({ t: waiting.t, id, d: waiting.d }), err.retry ?? 1000);
      return;
    }
    this.settle(id, new Refused(err));
  }

  /** What is not answered yet, to be sent on a new connection: a function that does so. */
  again(): () => void {
    const unanswered = [...this.#waiting];
    return () => {
      for (const [id, { t, d }] of unanswered) this.#write({ t, id, d });
    };
  }

  /** The connection is lost: what may not be repeated fails, or all of it. */
  lose(all: boolean): void {
    for (const [id, { repeatable }] of [...this.#waiting]) if (all || !repeatable) this.settle(id, new Lost());
  }
}

/** A key that no other action has. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
