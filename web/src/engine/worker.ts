// The worker that runs the rules core and the search. It fetches both files when the first question comes.
import type { Reply, Request } from "./protocol";

interface Core {
  ask(id: string, name: string, question: string, tell: (kind: "answer" | "error" | "progress", text: string) => void): void;
  stop(id: string): void;
}

interface GoRuntime {
  readonly importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}

const scope = globalThis as unknown as {
  hoplite?: Core;
  Go: new () => GoRuntime;
  postMessage(reply: Reply): void;
  onmessage: ((event: MessageEvent<Request>) => void) | null;
};

async function start(): Promise<Core> {
  const support = "/engine/wasm_exec.js";
  const [, answer] = await Promise.all([import(/* @vite-ignore */ support), fetch("/engine/hoplite.wasm")]);
  if (!answer.ok) throw new Error(`the engine could not be loaded (${answer.status})`);
  const go = new scope.Go();
  const { instance } = await WebAssembly.instantiateStreaming(answer, go.importObject);
  go.run(instance).then(
    () => scope.postMessage({ kind: "dead", text: "the engine has ended" }),
    (error: unknown) => scope.postMessage({ kind: "dead", text: String(error) }),
  );
  if (!scope.hoplite) throw new Error("the engine did not start");
  return scope.hoplite;
}

const core = start();

scope.onmessage = ({ data }) => {
  core.then(
    (running) => {
      if (data.kind === "stop") running.stop(String(data.id));
      else running.ask(String(data.id), data.name, data.question, (kind, text) => scope.postMessage({ kind, id: data.id, text }));
    },
    (error: unknown) => scope.postMessage({ kind: "dead", text: error instanceof Error ? error.message : String(error) }),
  );
};
