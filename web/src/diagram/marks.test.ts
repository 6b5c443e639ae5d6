import { describe as group, expect, it } from "vitest";
import { describe, legend, marks } from "./marks";

group("marks", () => {
  it("tell what happens on arrival", () => {
    const drawn = marks([
      { cell: "d3", how: "step", quiet: true },
      { cell: "e3", how: "step", take: true, passing: true },
      { cell: "d8", how: "slide", quiet: true, take: true },
      { cell: "d4", how: "pace", quiet: true, initial: true },
    ]);
    expect(drawn.map(({ deed }) => deed)).toEqual(["move", "take", "both", "move"]);
    expect(drawn.map(describe)).toEqual([
      "only moves here, one step", "only captures here, one step, also in passing", "moves or captures here, slide",
      "only moves here, way must be free, first move only",
    ]);
  });
  it("have a legend of what is drawn and nothing else", () => {
    expect(legend(marks([{ cell: "a1", how: "leap", quiet: true, take: true }])).map(({ kind }) => kind)).toEqual(["both", "leap"]);
    expect(legend([])).toEqual([]);
  });
});
