import { describe, expect, it } from "vitest";
import type { EventFrame, GameFrame } from "./frames";
import { fold } from "./game.svelte";

const game: GameFrame = {
  game: "abcdefg1", version: 4, seat: 0, variant: { key: "spartan", name: "Spartan chess", short: "Spartan" }, initialFen: "f",
  players: [{ name: "Anna" }, { name: "Bert" }], control: { type: "clock", limit: 300000, increment: 3000 }, speed: "blitz",
  perf: "spartan", rated: false, source: "friend", created: 1, moves: [{ m: "e2e4", san: "e4" }, { m: "e7c5", san: "ec5" }],
  status: "started", chat: [], drawOffer: [1], scene: { fen: "before", turn: 0, men: {} },
  clock: { left: [300000, 300000], running: true, from: 5 },
};
const event = (part: Partial<EventFrame>): EventFrame => ({ game: "abcdefg1", version: 5, kind: "skip", ...part });

describe("fold", () => {
  it("adds a move with its position and clock, and lets go of offers", () => {
    const scene = { fen: "after", turn: 1, men: {} };
    const next = fold(game, event({ kind: "move", ply: { m: "g1f3", san: "Nf3" }, status: "started", scene }));
    expect(next.moves.map(({ san }) => san)).toEqual(["e4", "ec5", "Nf3"]);
    expect(next.scene).toBe(scene);
    expect(next.drawOffer).toBeUndefined();
    expect(next.clock).toBeUndefined();
    expect(next.version).toBe(5);
  });
  it("takes moves back", () => {
    expect(fold(game, event({ kind: "takeback", plies: 1, status: "started" })).moves).toHaveLength(1);
  });
  it("ends", () => {
    expect(fold(game, event({ kind: "end", status: "resign", winner: 1, ratingDiff: [-8, 8] })))
      .toMatchObject({ status: "resign", winner: 1, ratingDiff: [-8, 8] });
  });
  it("knows who is out of a game of four, and how it ended", () => {
    const out = fold(game, event({ kind: "retire", status: "started", out: [2], points: [3, 0, 0, 5] }));
    expect(out).toMatchObject({ out: [2], points: [3, 0, 0, 5] });
    expect(fold(out, event({ kind: "end", status: "variantEnd", out: [2, 0, 1], places: [2, 3, 4, 1] }))).toMatchObject({ places: [2, 3, 4, 1] });
  });
  it("adds chat and leaves the rest", () => {
    const next = fold(game, event({ kind: "chat", chat: { room: "player", user: "Bert", text: "hi", at: 9 } }));
    expect(next.chat).toHaveLength(1);
    expect(next.drawOffer).toEqual([1]);
  });
  it("counts versions of rows that are not for it", () => {
    expect(fold(game, event({}))).toEqual({ ...game, version: 5 });
  });
  it("hides the chat and shows it again", () => {
    const hi = { room: "player", user: "Bert", text: "hi", at: 9 } as const;
    const muted = fold({ ...game, chat: [hi] }, event({ kind: "mute", muted: true }));
    expect(muted).toMatchObject({ muted: true, chat: [], drawOffer: [1] });
    expect(fold(muted, event({ kind: "mute", heard: [hi] }))).toMatchObject({ muted: false, chat: [hi] });
  });
  it("keeps conditional moves until a move says what is left of them", () => {
    const set = fold(game, event({ kind: "conditional", conditional: ["e7e5 g1f3 b8c6 f1b5"] }));
    expect(set).toMatchObject({ conditional: ["e7e5 g1f3 b8c6 f1b5"], drawOffer: [1] });
    const played = fold(set, event({ kind: "move", ply: { m: "e7e5", san: "e5" }, status: "started", conditional: ["g1f3 b8c6 f1b5"] }));
    expect(played.conditional).toEqual(["g1f3 b8c6 f1b5"]);
    expect(fold(played, event({ kind: "move", ply: { m: "a2a3", san: "a3" }, status: "started" })).conditional).toBeUndefined();
  });
  it("tells of a rematch", () => {
    expect(fold(game, event({ kind: "rematch", rematch: "hgfedcb2" })).rematch).toBe("hgfedcb2");
  });
});
