import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Preferences } from "./prefs.svelte";

// The module keeps one person's settings, so each test loads it anew, with a browser's storage and a server of its own.
let kept: Map<string, string>;
let asked: { method: string; body: unknown }[];
let answer: (method: string) => Response;

beforeEach(() => {
  kept = new Map();
  asked = [];
  answer = () => Response.json({ prefs: {}, language: "en-US" });
  vi.resetModules();
  vi.stubGlobal("localStorage", { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, text: string) => void kept.set(key, text) });
  // Outside of a browser an address without a host leads nowhere.
  vi.stubGlobal("Request", class extends Request {
    constructor(input: string, init?: RequestInit) {
      super(new URL(input, "http://127.0.0.1"), init);
    }
  });
  vi.stubGlobal("fetch", async (request: Request) => {
    asked.push({ method: request.method, body: request.method === "POST" ? await request.json() : undefined });
    return answer(request.method);
  });
});
afterEach(() => vi.unstubAllGlobals());

const load = async () => import("./prefs.svelte");

describe("read", () => {
  it("takes what is known and fits, and the usual for the rest", async () => {
    const { read } = await load();
    const got = read({ scheme: "dark", coords: 0, premove: "yes", volume: null, colour: "pink" });
    expect(got).toMatchObject({ scheme: "dark", coords: 0, premove: true, volume: 70 } satisfies Partial<Preferences>);
    expect(got).not.toHaveProperty("colour");
    expect(read(undefined)).toEqual(read("x"));
  });
});

describe("without an account", () => {
  it("settings stay in the browser", async () => {
    const { prefs } = await load();
    expect(prefs.coordinates).toBe(true);
    expect(await prefs.change({ coords: 0, soundSet: "silent" })).toBeUndefined();
    expect([prefs.coordinates, prefs.sounds, prefs.loudness]).toEqual([false, false, 0]);
    expect(asked).toEqual([]);
    vi.resetModules();
    expect((await load()).prefs.coordinates).toBe(false);
  });
  it("what cannot be read in the browser counts as nothing", async () => {
    kept.set("hoplite.preferences", "{");
    expect((await load()).prefs.values.animation).toBe(2);
  });
});

describe("with an account", () => {
  it("its settings win over the browser's and are remembered there", async () => {
    kept.set("hoplite.preferences", JSON.stringify({ coords: 0, premove: false }));
    answer = () => Response.json({ prefs: { coords: 2, autoQueen: 3 }, language: "en-US" });
    const { prefs } = await load();
    await prefs.follow("leonidas");
    expect(prefs.values).toMatchObject({ coords: 2, premove: true, autoQueen: 3 });
    expect(prefs.promotesAtOnce).toBe(true);
    expect(JSON.parse(kept.get("hoplite.preferences") ?? "")).toMatchObject({ coords: 2 });
    await prefs.follow("leonidas");
    expect(asked).toHaveLength(1);
  });
  it("a change is sent alone", async () => {
    const { prefs } = await load();
    await prefs.follow("leonidas");
    expect(await prefs.change({ volume: 30 })).toBeUndefined();
    expect(asked.at(-1)).toEqual({ method: "POST", body: { volume: 30 } });
    expect(prefs.loudness).toBeCloseTo(0.3);
  });
  it("a change that the server refuses is taken back, with its reason", async () => {
    const { prefs } = await load();
    await prefs.follow("leonidas");
    answer = () => Response.json({ error: "No such token" }, { status: 401 });
    expect(await prefs.change({ premove: false })).toBe("No such token");
    expect(prefs.values.premove).toBe(true);
  });
});

describe("what follows from the settings", () => {
  it("for ratings, zen, tenths, claims and takebacks", async () => {
    const { prefs } = await load();
    expect([prefs.showsRatings(true), prefs.zenFor(true), prefs.showsTenths(9_000), prefs.showsTenths(10_000)]).toEqual([true, false, true, false]);
    expect([prefs.claimsAtOnce(31_000), prefs.claimsAtOnce(29_000), prefs.allowsTakebacks(true)]).toEqual([false, true, true]);
    await prefs.change({ ratings: 2, zen: 2, clockTenths: 2, autoThreefold: 1, takeback: 2 });
    expect([prefs.showsRatings(true), prefs.showsRatings(false), prefs.zenFor(true), prefs.zenFor(false)]).toEqual([false, true, true, false]);
    expect([prefs.showsTenths(90_000), prefs.claimsAtOnce(1), prefs.allowsTakebacks(true), prefs.allowsTakebacks(false)]).toEqual([true, false, false, true]);
    await prefs.change({ ratings: 0, zen: 1, autoThreefold: 3, takeback: 1 });
    expect([prefs.showsRatings(false), prefs.zenFor(false), prefs.claimsAtOnce(Infinity), prefs.allowsTakebacks(false)]).toEqual([false, true, true, false]);
  });
  it("for moves that are confirmed, by the speed of the game", async () => {
    const { prefs } = await load();
    const confirms = (type: string, speed: string): boolean => prefs.confirmsMoves({ control: { type }, speed });
    expect([confirms("correspondence", "correspondence"), confirms("unlimited", "correspondence"), confirms("clock", "rapid")]).toEqual([true, false, false]);
    await prefs.change({ submitMove: 1 | 8 });
    expect([confirms("correspondence", "correspondence"), confirms("unlimited", "correspondence"), confirms("clock", "rapid")]).toEqual([false, true, true]);
    expect([confirms("clock", "bullet"), confirms("clock", "ultraBullet"), confirms("clock", "classical")]).toEqual([false, false, false]);
  });
  it("for time that is given, promotions, blindfold and typed moves", async () => {
    const { prefs } = await load();
    expect([prefs.givesTime(true), prefs.promotesAhead, prefs.blindfold, prefs.typesMoves]).toEqual([true, true, false, false]);
    await prefs.change({ moretime: 2, autoQueen: 1, blindfold: 1, keyboardMove: 1 });
    expect([prefs.givesTime(true), prefs.givesTime(false)]).toEqual([false, true]);
    expect([prefs.promotesAhead, prefs.promotesAtOnce, prefs.blindfold, prefs.typesMoves]).toEqual([false, false, true, true]);
  });
});
