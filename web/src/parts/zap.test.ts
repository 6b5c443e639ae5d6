import { describe, expect, it } from "vitest";
import type { TVChannel } from "../live/frames";
import { tuned, zap } from "./zap";

const on = (channel: string, game: string, games = 1, seat = 0): TVChannel => ({ channel, name: channel, game, player: { name: "Ann" }, seat, games });

describe("tuned", () => {
  it("is the wanted channel, even if nobody plays there", () => {
    expect(tuned([on("best", "a"), on("blitz", "b")], "blitz")?.game).toBe("b");
    expect(tuned([on("best", "a")], "rapid")).toBeUndefined();
  });
  it("is the best games without a wish, or else where most is going on", () => {
    expect(tuned([on("best", "a"), on("bot", "b", 9)], undefined)?.game).toBe("a");
    expect(tuned([on("bot", "b", 2), on("computer", "c", 5)], undefined)?.game).toBe("c");
    expect(tuned([on("bot", "b", 2), on("computer", "c", 2)], undefined)?.game).toBe("b");
    expect(tuned([], undefined)).toBeUndefined();
  });
});

describe("zap", () => {
  const shown = { game: "a", seat: 1, wanted: undefined };
  it("begins with what is on", () => {
    expect(zap(undefined, on("best", "a", 1, 1), undefined, false)).toEqual(shown);
    expect(zap(undefined, undefined, undefined, false)).toBeUndefined();
  });
  it("stays with a game while it runs, and for a while after", () => {
    expect(zap(shown, on("best", "b"), undefined, false)).toBe(shown);
    expect(zap(shown, on("best", "b"), undefined, true)).toEqual({ game: "b", seat: 0, wanted: undefined });
  });
  it("keeps what has ended while there is nothing else", () => {
    expect(zap(shown, undefined, undefined, true)).toBe(shown);
    expect(zap(shown, on("best", "a"), undefined, true)).toBe(shown);
  });
  it("follows another wish at once", () => {
    expect(zap(shown, on("blitz", "b"), "blitz", false)).toEqual({ game: "b", seat: 0, wanted: "blitz" });
    expect(zap(shown, undefined, "rapid", false)).toBeUndefined();
  });
});
