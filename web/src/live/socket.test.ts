import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { EventFrame, GameFrame } from "./frames";
import { Lost, Refused, Socket, type GameListener } from "./socket";

/** A connection whose other end is the test. */
class FakeSocket {
  static readonly OPEN = 1;
  readyState = FakeSocket.OPEN;
  onmessage: ((event: { data: string }) => void) | undefined;
  onclose: ((event: { code: number }) => void) | undefined;
  readonly sent: { t: string; id?: number; d: Record<string, unknown> }[] = [];

  send(text: string): void {
    this.sent.push(JSON.parse(text) as (typeof this.sent)[number]);
  }
  close(): void {
    this.readyState = 3;
  }
  says(t: string, d: object, id?: number): void {
    this.onmessage?.({ data: JSON.stringify(id === undefined ? { t, d } : { t, id, d }) });
  }
  hello(): void {
    this.says("hello", { time: Date.now() + 5000, account: null, limits: { keepAlive: 5000 } });
  }
  breaks(code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }
  last(t: string): (typeof this.sent)[number] | undefined {
    return this.sent.findLast((frame) => frame.t === t);
  }
}

let opened: FakeSocket[] = [];
const socket = (): Socket =>
  new Socket({
    url: "ws://test",
    open: () => {
      const fake = new FakeSocket();
      opened.push(fake);
      return fake as unknown as WebSocket;
    },
  });
const current = (): FakeSocket => opened[opened.length - 1]!;
const whole = (version: number): GameFrame => ({ game: "abcdefg1", version }) as GameFrame;
const event = (version: number): EventFrame => ({ game: "abcdefg1", version, kind: "move" });

function listener(): GameListener & { seen: string[] } {
  const seen: string[] = [];
  return {
    seen,
    game: ({ version }) => seen.push(`game ${version}`),
    event: ({ version }) => seen.push(`event ${version}`),
    now: () => seen.push("now"),
    refused: ({ message }) => seen.push(message),
  };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  opened = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("Socket", () => {
  it("knows the server's time from the greeting", () => {
    const s = socket();
    current().hello();
    expect(s.state).toBe("connected");
    expect(s.serverTime() - Date.now()).toBe(5000);
  });

  it("names its account before it subscribes", async () => {
    const s = new Socket({ url: "ws://test", token: "lip_x", open: () => (opened.push(new FakeSocket()), current() as unknown as WebSocket) });
    s.follow("abcdefg1", listener());
    current().hello();
    expect(current().sent.map(({ t }) => t)).toEqual(["auth"]);
    current().says("ack", {}, current().last("auth")?.id);
    await vi.advanceTimersByTimeAsync(0);
    expect(current().sent.map(({ t }) => t)).toEqual(["auth", "sub"]);
  });

  it("resumes a game from the last version it knows", async () => {
    const s = socket();
    const heard = listener();
    s.follow("abcdefg1", heard);
    current().hello();
    expect(current().last("sub")?.d).toEqual({ topic: "game", game: "abcdefg1" });
    current().says("game", whole(3));
    current().says("event", event(4));
    current().breaks();
    expect(s.state).toBe("connecting");
    await vi.advanceTimersByTimeAsync(300);
    expect(opened).toHaveLength(2);
    current().hello();
    expect(current().last("sub")?.d).toEqual({ topic: "game", game: "abcdefg1", version: 4 });
    current().says("event", event(5));
    expect(heard.seen).toEqual(["game 3", "event 4", "event 5"]);
  });

  it("hears each version once, and asks for what is missing", () => {
    const s = socket();
    const heard = listener();
    s.follow("abcdefg1", heard);
    current().hello();
    current().says("game", whole(3));
    current().says("event", event(3));
    current().says("event", event(6));
    expect(heard.seen).toEqual(["game 3"]);
    expect(current().last("sub")?.d).toMatchObject({ version: 3 });
  });

  it("asks again when the keep-alive knows more", async () => {
    const s = socket();
    s.follow("abcdefg1", listener());
    current().hello();
    current().says("game", whole(3));
    current().says("live", { time: Date.now(), games: { abcdefg1: 4 } });
    await vi.advanceTimersByTimeAsync(1100);
    expect(current().last("sub")?.d).toMatchObject({ version: 3 });
  });

  it("repeats an unanswered move with the same key", async () => {
    const s = socket();
    current().hello();
    const answer = s.request("move", { game: "abcdefg1", move: "e2e4" });
    const first = current().last("move");
    current().breaks();
    await vi.advanceTimersByTimeAsync(300);
    current().hello();
    const second = current().last("move");
    expect(second?.d).toEqual(first?.d);
    expect(String(second?.d["key"])).toHaveLength(24);
    current().says("ack", { version: 7 }, second?.id);
    await expect(answer).resolves.toEqual({ version: 7 });
    current().breaks();
    await vi.advanceTimersByTimeAsync(300);
    current().hello();
    expect(current().last("move")).toBeUndefined();
  });

  it("does not repeat a seek", async () => {
    const s = socket();
    current().hello();
    const answer = s.request("seek", { variant: "spartan", limit: 300, increment: 3 });
    const failed = expect(answer).rejects.toBeInstanceOf(Lost);
    current().breaks();
    await failed;
  });

  it("tells why something was refused, and waits out what is only unavailable", async () => {
    const s = socket();
    current().hello();
    const answer = s.request("move", { game: "abcdefg1", move: "e2e5" });
    const failed = expect(answer).rejects.toThrow(new Refused({ code: "invalid", error: "illegal" }).message);
    current().says("err", { code: "unavailable", error: "not now", retry: 50 }, current().last("move")?.id);
    const before = current().sent.length;
    await vi.advanceTimersByTimeAsync(60);
    expect(current().sent.length).toBe(before + 1);
    current().says("err", { code: "invalid", error: "illegal" }, current().last("move")?.id);
    await failed;
  });

  it("waits longer from try to try", async () => {
    const s = socket();
    for (const pause of [250, 500, 1000]) {
      const tries = opened.length;
      current().breaks();
      await vi.advanceTimersByTimeAsync(pause - 10);
      expect(opened).toHaveLength(tries);
      await vi.advanceTimersByTimeAsync(20);
      expect(opened).toHaveLength(tries + 1);
    }
    s.close();
  });

  it("takes silence for a loss", async () => {
    const s = socket();
    current().hello();
    await vi.advanceTimersByTimeAsync(5000 * 2.5 + 10);
    expect(s.state).toBe("connecting");
  });

  it("stays away once its session is over", async () => {
    const s = socket();
    current().hello();
    const answer = s.request("resign", { game: "abcdefg1" });
    const failed = expect(answer).rejects.toBeInstanceOf(Lost);
    current().breaks(4001);
    await failed;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(s.state).toBe("closed");
    expect(opened).toHaveLength(1);
  });

  it("hands a notice on, and takes it back with the next server", () => {
    const told: (string | undefined)[] = [];
    const s = socket();
    s.onNotice = (notice) => told.push(notice?.msg);
    current().hello();
    current().says("announce", { msg: "The server restarts in 30s.", date: Date.now() + 30_000 });
    current().breaks(1012);
    vi.advanceTimersByTime(1000);
    current().hello();
    expect(told).toEqual(["The server restarts in 30s.", undefined]);
    s.close();
  });
});
