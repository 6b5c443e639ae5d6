import { beforeEach, describe, expect, it } from "vitest";
import { Engine, EngineError, EngineLost, type Port } from "./engine";
import type { Reply, Request } from "./protocol";

class FakePort implements Port {
  readonly sent: Request[] = [];
  ended = false;
  onmessage: Port["onmessage"] = null;
  onerror: Port["onerror"] = null;
  postMessage(request: Request): void {
    this.sent.push(request);
  }
  terminate(): void {
    this.ended = true;
  }
  say(reply: Reply): void {
    this.onmessage?.({ data: reply } as MessageEvent<Reply>);
  }
  ids(): number[] {
    return this.sent.filter(({ kind }) => kind === "ask").map((request) => ("id" in request ? request.id : 0));
  }
}

describe("Engine", () => {
  let ports: FakePort[];
  let engine: Engine;
  beforeEach(() => {
    ports = [];
    engine = new Engine(() => {
      const port = new FakePort();
      ports.push(port);
      return port;
    });
  });
  const port = (i = 0): FakePort => {
    const found = ports[i];
    if (!found) throw new Error(`no worker ${i}`);
    return found;
  };

  it("starts no worker before the first question", () => {
    expect(ports).toHaveLength(0);
  });

  it("gives each answer to its question, in any order", async () => {
    const first = engine.ask("move", { key: "standard", text: "e4" });
    const second = engine.ask("move", { key: "standard", text: "d4" });
    const [a, b] = port().ids();
    port().say({ kind: "answer", id: b ?? 0, text: `{"move":"d2d4","san":"d4"}` });
    port().say({ kind: "answer", id: a ?? 0, text: `{"move":"e2e4","san":"e4"}` });
    expect((await first).move).toBe("e2e4");
    expect((await second).move).toBe("d2d4");
    expect(ports).toHaveLength(1);
  });

  it("sends the definition of a game that it has learned along", () => {
    engine.learn("own", { Key: "own" });
    void engine.state({ key: "own" });
    void engine.state({ key: "standard" });
    const questions = port().sent.flatMap((sent) => (sent.kind === "ask" ? [JSON.parse(sent.question) as unknown] : []));
    expect(questions).toEqual([{ key: "own", definition: { Key: "own" } }, { key: "standard" }]);
  });

  it("fails with what the rules say", async () => {
    const asked = engine.state({ key: "standard", moves: ["e2e5"] });
    port().say({ kind: "error", id: 1, text: "illegal move" });
    await expect(asked).rejects.toThrow(EngineError);
    await expect(asked).rejects.toThrow("illegal move");
  });

  it("tells of progress and stops when asked to", async () => {
    const depths: number[] = [];
    const stop = new AbortController();
    const asked = engine.search({ key: "standard" }, stop.signal, ({ depth }) => depths.push(depth));
    port().say({ kind: "progress", id: 1, text: `{"depth":3,"nodes":9,"ms":1,"lines":[]}` });
    stop.abort();
    expect(port().sent.at(-1)).toEqual({ kind: "stop", id: 1 });
    port().say({ kind: "answer", id: 1, text: `{"depth":4,"nodes":9,"ms":1,"lines":[],"best":{"move":"e2e4","san":"e4"}}` });
    expect((await asked).best?.san).toBe("e4");
    expect(depths).toEqual([3]);
  });

  it("replaces a worker that dies and asks again", async () => {
    const asked = engine.state({ key: "standard" });
    port().say({ kind: "dead", text: "out of memory" });
    expect(port().ended).toBe(true);
    expect(port(1).sent).toEqual(port(0).sent);
    port(1).say({ kind: "answer", id: 1, text: `{"key":"standard"}` });
    expect((await asked).key).toBe("standard");
  });

  it("gives up on a question that brings the worker down twice, not on the next one", async () => {
    const asked = engine.state({ key: "standard" });
    port(0).say({ kind: "dead", text: "out of memory" });
    port(1).say({ kind: "dead", text: "out of memory" });
    await expect(asked).rejects.toThrow(EngineLost);
    const next = engine.state({ key: "spartan" });
    port(2).say({ kind: "answer", id: 2, text: `{"key":"spartan"}` });
    expect((await next).key).toBe("spartan");
  });

  it("ignores what an abandoned worker still says, and fails what is open when closed", async () => {
    const asked = engine.state({ key: "standard" });
    engine.close();
    port().say({ kind: "answer", id: 1, text: "{}" });
    await expect(asked).rejects.toThrow("closed");
    expect(port().ended).toBe(true);
  });
});
