import { describe, expect, it } from "vitest";
import { begin, goalText, judged, themeText } from "./training";

const start = begin("Mate in 2.");

describe("judged", () => {
  it("goes on with the reply", () => {
    const step = judged(start, "a1a8", { win: true, done: false, reply: "g8h7" });
    expect(step.reply).toBe("g8h7");
    expect(step.undo).toBe(false);
    expect(step.attempt).toMatchObject({ phase: "solving", moves: ["a1a8"] });
  });
  it("ends with the last right move and what it was worth", () => {
    expect(judged(start, "a1a8", { win: true, done: true, ratingDiff: 7 }).attempt).toMatchObject({ phase: "solved", ratingDiff: 7 });
  });
  it("takes a slower mate back without failing", () => {
    const step = judged(start, "a1a7", { win: false, done: false, longer: true });
    expect(step.undo).toBe(true);
    expect(step.attempt.phase).toBe("solving");
  });
  it("fails with a wrong move", () => {
    const step = judged(start, "a1a2", { win: false, done: true, ratingDiff: -5 });
    expect(step.attempt).toMatchObject({ phase: "wrong", ratingDiff: -5, moves: [] });
    expect(step.undo).toBe(true);
  });
});

describe("texts", () => {
  it("tell the goal and no more", () => {
    expect(goalText(["mateIn2", "sacrifice"], "White")).toBe("White to move and mate in 2.");
    expect(goalText(["mateIn1"], "Spartans")).toBe("Spartans to move and mate in 1.");
    expect(goalText(["sacrifice"], "White")).toBe("White to move. Find the best move.");
  });
  it("spell themes", () => expect(themeText("doubleCheck")).toBe("double check"));
});
