import { describe, expect, it } from "vitest";
import { resultText } from "./result";

const armies = ["Persians", "Spartans"];

describe("resultText", () => {
  it.each([
    [{ status: "started" }, undefined],
    [{ status: "mate", winner: 1, reason: "mate" }, "Checkmate · Spartans win"],
    [{ status: "draw", reason: "repetition" }, "Draw, by repetition · ½–½"],
    [{ status: "variantEnd", winner: 0, reason: "noMove" }, "The game's goal is reached, no legal move · Persians win"],
    [{ status: "variantEnd", reason: "lastAlive", places: [2, 1] }, "The game's goal is reached, the last army standing · Spartans win"],
    [{ status: "variantEnd", reason: "points", places: [1, 1, 3] }, "The game's goal is reached, by points · Persians and Spartans win"],
    [{ status: "draw", reason: "lastAlive", places: [1, 1, 1] }, "Draw, the last army standing · shared by all"],
    [{ status: "aborted" }, "Aborted"],
    [{ status: "unheardOf" }, "The game is over · ½–½"],
  ])("%o is %s", (end, want) => {
    expect(resultText(end, armies)).toBe(want);
  });
});
