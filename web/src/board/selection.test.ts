import { describe, expect, it } from "vitest";
import { complete, finish, origins, point, targets } from "./selection";
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
  option("f6g7", ["f6", "g7"]),
  option("f6g7h8", ["f6", "g7", "h8"]),
  option("f6g7f6", ["f6", "g7", "f6"]),
  option("f6h8", ["f6", "h8"]),
];
const promoting = [
  option("b7b8=qd6", ["b7", "b8", "d6"], "Queen"),
  option("b7b8=nd6", ["b7", "b8", "d6"], "Knight"),
  option("b7b8q", ["b7", "b8"], "Queen"),
  option("b7b8n", ["b7", "b8"], "Knight"),
];
const duck = [option("e2e4,e4e5", ["e2", "e4", "e5"]), option("e2e4,e4e2", ["e2", "e4", "e2"])];
const chain = [
  option("f3e4c3c6", ["f3", "e4", "c3", "c6"]),
  option("f3e4c3c6e4a1", ["f3", "e4", "c3", "c6", "e4", "a1"]),
];
const inPlace = [option("e2e2", ["e2", "e2"]), ...plain];
const drops = [option("P@e4", ["hand:P", "e4"]), option("N@e4", ["hand:N", "e4"])];
const exchange = [
  option("n-B@f7", ["prison:B", "f7"], "for a knight"),
  option("r-B@f7", ["prison:B", "f7"], "for a rook"),
];
const alone = [option("c3", ["c3"])];

describe("point", () => {
  it.each([
    ["takes up a man", plain, [], "e2", { kind: "partial", path: ["e2"] }],
    ["ignores a cell without moves", plain, [], "a1", { kind: "none" }],
    ["ends a move", plain, ["e2"], "e4", { kind: "move", option: plain[1] }],
    ["changes to another man", plain, ["e2"], "g1", { kind: "partial", path: ["g1"] }],
    ["lets go on a second click", plain, ["e2"], "e2", { kind: "none" }],
    ["lets go on a cell out of reach", plain, ["e2"], "a8", { kind: "none" }],
    ["acts in place where a move does", inPlace, ["e2"], "e2", { kind: "move", option: inPlace[0] }],
    ["ends a move of one cell", alone, [], "c3", { kind: "move", option: alone[0] }],
    ["asks where moves share their cells", gating, ["b1"], "c3", { kind: "choose", path: ["b1", "c3"], options: gating }],
    ["waits where a move could go on", steps, ["f6"], "g7", { kind: "partial", path: ["f6", "g7"] }],
    ["ends there on a second click", steps, ["f6", "g7"], "g7", { kind: "move", option: steps[0] }],
    ["ends a move of two steps", steps, ["f6", "g7"], "f6", { kind: "move", option: steps[2] }],
    ["asks on a second click", promoting, ["b7", "b8"], "b8", { kind: "choose", path: ["b7", "b8"], options: promoting.slice(2) }],
    ["asks after the last step", promoting, ["b7", "b8"], "d6", { kind: "choose", path: ["b7", "b8", "d6"], options: promoting.slice(0, 2) }],
    ["waits for the second man of a move", duck, ["e2"], "e4", { kind: "partial", path: ["e2", "e4"] }],
    ["lets the second man go where the first came from", duck, ["e2", "e4"], "e2", { kind: "move", option: duck[1] }],
    ["does not end a move that must go on", duck, ["e2", "e4"], "e4", { kind: "none" }],
    ["waits in a long chain", chain, ["f3", "e4", "c3"], "c6", { kind: "partial", path: ["f3", "e4", "c3", "c6"] }],
    ["goes through a cell twice", chain, ["f3", "e4", "c3", "c6"], "e4", { kind: "partial", path: ["f3", "e4", "c3", "c6", "e4"] }],
    ["drops a man from the hand", drops, ["hand:N"], "e4", { kind: "move", option: drops[1] }],
    ["lets a man in hand go", drops, ["hand:N"], "hand:N", { kind: "none" }],
    ["asks whom a prisoner is freed for", exchange, ["prison:B"], "f7", { kind: "choose", path: ["prison:B", "f7"], options: exchange }],
  ] as const)("%s", (_, options, path, cell, want) => {
    expect(point(options, path, cell)).toEqual(want);
  });
});

describe("finish", () => {
  it("ends a move that could go on", () => {
    expect(finish(steps, ["f6", "g7"])).toEqual({ kind: "move", option: steps[0] });
    expect(complete(duck, ["e2", "e4"])).toEqual([]);
    expect(finish(duck, ["e2", "e4"])).toEqual({ kind: "none" });
  });
});

describe("targets and origins", () => {
  it("lists what may follow", () => {
    expect([...targets(steps, ["f6"])]).toEqual(["g7", "h8"]);
    expect([...targets(steps, ["f6", "g7"])]).toEqual(["h8", "f6"]);
    expect([...targets(plain, [])]).toEqual([]);
  });
  it("lists what may begin", () => {
    expect([...origins(drops)]).toEqual(["hand:P", "hand:N"]);
  });
});
