import { beforeEach, describe, expect, it, vi } from "vitest";
import type { GameFrame } from "./frames";
import type { LiveGame } from "./game.svelte";
import { Review } from "./review.svelte";

// The rules core runs in a worker, which only browsers have. This one does not know the move "x1".
vi.mock("../engine/engine", () => ({
  engine: () => ({
    state: ({ moves }: { moves: readonly string[] }) =>
      moves.includes("x1")
        ? Promise.reject(new Error("no such move"))
        : Promise.resolve({ scene: { fen: moves.join(" "), turn: moves.length % 2 }, plies: moves.map((_, i) => ({ turn: i % 2 })) }),
  }),
}));

const frame = { initialFen: "start", moves: [{ m: "a1" }, { m: "b1" }, { m: "c1" }] } as unknown as GameFrame;
const live = { frame, scene: { fen: "now", turn: 1 }, seat: 1 } as unknown as LiveGame;
let review: Review;
beforeEach(() => (review = new Review(() => live, () => "key")));

describe("a review", () => {
  it("shows an earlier position, and the present one again", async () => {
    await review.look(1);
    expect([review.shown, review.present, review.scene?.fen]).toEqual([1, false, "a1"]);
    await review.look(3);
    expect([review.shown, review.present, review.scene?.fen]).toEqual([3, true, "now"]);
  });

  it("does not show what was wished before something happened", async () => {
    const late = review.look(1);
    review.reset();
    await late;
    expect([review.present, review.scene?.fen]).toEqual([true, "now"]);
  });

  it("tries moves out, and knows whose the last one was", async () => {
    await review.attempt(["d1"]);
    expect([review.scene?.fen, review.endsWithOwn]).toEqual(["a1 b1 c1 d1", true]);
    await review.attempt(["d1", "e1"]);
    expect(review.endsWithOwn).toBe(false);
    await review.attempt(undefined);
    expect(review.present).toBe(true);
  });

  it("says what it could not show, until the next wish", async () => {
    await review.attempt(["x1"]);
    expect([review.trouble, review.present]).toEqual(["This move cannot be tried out.", true]);
    await review.look(1);
    expect(review.trouble).toBe("");
    await review.attempt(["x1"]);
    review.reset();
    expect(review.trouble).toBe("");
  });
});
