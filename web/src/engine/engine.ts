// The engine as the page uses it: typed questions, answered later by a worker that starts with the first one. Every
// question says all that is needed to answer it, so a worker that fails is replaced and asked again.
import type { Found, Questions, Reply, Request, SearchQuestion, State, Line, Thought } from "./protocol";

/** What the engine needs of a worker. */
export interface Port {
  postMessage(request: Request): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<Reply>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

/** A question that the rules or the search have an answer against: a move that is not legal, a text that is no FEN. */
export class EngineError extends Error {
  override readonly name = "EngineError";
}

/** The engine failed, or could not be loaded. */
export class EngineLost extends Error {
  override readonly name = "EngineLost";
}

interface Waiting {
  readonly request: Request;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly progress: ((thought: Thought) => void) | undefined;
  tries: number;
}

// A question that brings the worker down is asked once more, in case that it only met the failure of another.
const mostTries = 2;

export class Engine {
  readonly #open: () => Port;
  readonly #waiting = new Map<number, Waiting>();
  // Games that only this server knows, as the rules core reads them.
  readonly #own = new Map<string, unknown>();
  #port: Port | undefined;
  #last = 0;

  constructor(open: () => Port) {
    this.#open = open;
  }

  /** Makes a game known that is none of the catalogue: what is asked about it carries its definition. */
  learn(key: string, definition: unknown): void {
    this.#own.set(key, definition);
  }

  state(line: Line): Promise<State> {
    return this.ask("state", line);
  }

  /** Asks a question. The promise fails with EngineError or EngineLost. */
  ask<N extends keyof Questions>(name: N, question: Questions[N][0]): Promise<Questions[N][1]> {
    return this.#send(name, question) as Promise<Questions[N][1]>;
  }

  /**
   * Looks for a move until a limit of the question is reached or the signal comes; also then the best move so far is the
   * answer. Searches run one after the other.
   */
  search(question: SearchQuestion, signal?: AbortSignal, progress?: (thought: Thought) => void): Promise<Found> {
    const answer = this.#send("search", question, progress) as Promise<Found>;
    const id = this.#last;
    const stop = (): void => this.#port?.postMessage({ kind: "stop", id });
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop);
    const done = (): void => signal?.removeEventListener("abort", stop);
    answer.then(done, done);
    return answer;
  }

  /** Lets go of the worker; whatever is still asked fails. */
  close(): void {
    this.#drop();
    for (const [id, waiting] of this.#waiting) {
      this.#waiting.delete(id);
      waiting.reject(new EngineLost("the engine was closed"));
    }
  }

  #send(name: keyof Questions, question: Questions[keyof Questions][0], progress?: (thought: Thought) => void): Promise<unknown> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      const definition = question && "key" in question ? this.#own.get(question.key) : undefined;
      const request: Request = { kind: "ask", id, name, question: JSON.stringify(definition ? { ...question, definition } : question) };
      this.#waiting.set(id, { request, resolve, reject, progress, tries: 1 });
      this.#running().postMessage(request);
    });
  }

  #running(): Port {
    if (this.#port) return this.#port;
    const port = this.#open();
    port.onmessage = ({ data }) => this.#hear(data);
    port.onerror = (event) => this.#lost(event.message || "the engine failed");
    this.#port = port;
    return port;
  }

  #hear(reply: Reply): void {
    if (reply.kind === "dead") {
      this.#lost(reply.text);
      return;
    }
    const waiting = this.#waiting.get(reply.id);
    if (!waiting) return;
    if (reply.kind === "progress") {
      waiting.progress?.(JSON.parse(reply.text) as Thought);
      return;
    }
    this.#waiting.delete(reply.id);
    if (reply.kind === "answer") waiting.resolve(JSON.parse(reply.text));
    else waiting.reject(new EngineError(reply.text));
  }

  #drop(): void {
    const port = this.#port;
    this.#port = undefined;
    if (!port) return;
    port.onmessage = null;
    port.onerror = null;
    port.terminate();
  }

  #lost(reason: string): void {
    this.#drop();
    for (const [id, waiting] of this.#waiting) {
      if (waiting.tries >= mostTries) {
        this.#waiting.delete(id);
        waiting.reject(new EngineLost(reason));
      } else {
        waiting.tries++;
        this.#running().postMessage(waiting.request);
      }
    }
  }
}

let shared: Engine | undefined;

/** The engine of the page. Its worker and the module are fetched when the first question is asked. */
export function engine(): Engine {
  shared ??= new Engine(() => new Worker(new URL("./worker.ts", import.meta.url), { type: "module" }) as Port);
  return shared;
}
