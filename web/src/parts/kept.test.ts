import { beforeEach, describe, expect, it } from "vitest";
import { keepGame, keptGame } from "./kept";

describe("a kept game", () => {
  let values: Map<string, string>;
  const storage = { getItem: (key: string) => values.get(key) ?? null, setItem: (key: string, text: string) => void values.set(key, text) };
  const game = { line: { key: "shogi", fen: "9", moves: ["c3c4"] }, level: 2, turning: false, botSeat: 1 };
  beforeEach(() => (values = new Map()));

  it("comes back as it was", () => {
    keepGame("shogi", undefined, game, storage);
    expect(keptGame("shogi", undefined, storage)).toMatchObject(game);
  });
  it("belongs to one game and one start", () => {
    keepGame("shogi", undefined, game, storage);
    expect(keptGame("standard", undefined, storage)).toBeUndefined();
    expect(keptGame("shogi", "8/9", storage)).toBeUndefined();
  });
  it("is none where the storage holds something else, or nothing", () => {
    expect(keptGame("shogi", undefined, storage)).toBeUndefined();
    for (const text of ["{", "7", '{"from":null}', '{"from":null,"line":{"key":"shogi"}}']) {
      values.set("hoplite.device.shogi", text);
      expect(keptGame("shogi", undefined, storage)).toBeUndefined();
    }
  });
  it("is lost where nothing can be kept", () => {
    const full = { setItem: () => { throw new Error("full"); } };
    expect(() => keepGame("shogi", undefined, game, full)).not.toThrow();
  });
});
