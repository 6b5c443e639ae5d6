import { describe, expect, it } from "vitest";
import { origins, point, targets } from "./selection";
import type { MoveOption } from "./types";

const option = (move: string, path: string[], label?: string): MoveOption =>
  label === undefined ? { move, path } : { move, path, choice: { label } };

const plain = [option("e2e3", ["e2", "e3"]), option("e2e4", ["e2", "e4"]), option("g1f3", ["g1", "f3"])];
const gating = [
  option("b1c3", ["b1", "c3"], "nothing"),
  option("b1c3h", ["b1", "c3"], "hawk"),
  option("b1c3e", ["b1", "c3"], "elephant"),
];
const steps = [
  option("f6g7h8", ["f6", "g7", "h8"]),
  option("f6g7f6", ["f6", "g7", "f6"]),
  option("f6h8", ["f6", "h8"]),
];
const inPlace = [option("e2e2", ["e2", "e2"]), ...plain];
const drops = [option("P@e4", ["P@", "e4"]), option("N@e4", ["N@", "e4"])];

describe("point", () => {
  it.each([
    ["takes up a man", plain, [], "e2", { kind: "partial", path: ["e2"] }],
    ["ignores a cell without moves", plain, [], "a1", { kind: "none" }],
    ["ends a move", plain, ["e2"], "e4", { kind: "move", option: plain[1] }],
    ["changes to another man", plain, ["e2"], "g1", { kind: "partial", path: ["g1"] }],
    ["lets go on a second click", plain, ["e2"], "e2", { kind: "none" }],
    ["lets go on a cell out of reach", plain, ["e2"], "a8", { kind: "none" }],
    ["acts in place where a move does", inPlace, ["e2"], "e2", { kind: "move", option: inPlace[0] }],
    ["asks where moves share their cells", gating, ["b1"], "c3", { kind: "choose", path: ["b1", "c3"], options: gating }],
    ["waits for the second step", steps, ["f6"], "g7", { kind: "partial", path: ["f6", "g7"] }],
    ["ends a move of two steps", steps, ["f6", "g7"], "f6", { kind: "move", option: steps[1] }],
    ["drops a man from the hand", drops, ["N@"], "e4", { kind: "move", option: drops[1] }],
  ] as const)("%s", (_, options, path, cell, want) => {
    expect(point(options, path, cell)).toEqual(want);
  });
});

describe("targets and origins", () => {
  it("lists what may follow", () => {
    expect([...targets(steps, ["f6"])]).toEqual(["g7", "h8"]);
    expect([...targets(plain, [])]).toEqual([]);
  });
  it("lists what may begin", () => {
    expect([...origins(drops)]).toEqual(["P@", "N@"]);
  });
});
