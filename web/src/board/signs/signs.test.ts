import { expect, it } from "vitest";
import source from "../native.ts?raw";
import { outlines } from "./outlines";

it("has every character that a native man may show, and no other", () => {
  const code = source.replace(/\/\/.*|\/\*[^]*?\*\//g, "");
  const wanted = new Set(code.match(/[\u3040-\u30ff\u4e00-\u9fff]/g));
  expect(wanted.size).toBeGreaterThan(50);
  expect(new Set(Object.keys(outlines))).toEqual(wanted);
});

it("draws no two of them alike, and each around its middle", () => {
  expect(new Set(Object.values(outlines)).size).toBe(Object.keys(outlines).length);
  for (const [char, path] of Object.entries(outlines)) {
    expect(path, char).toMatch(/^M-?\d+[ ,-]/);
    for (const number of path.match(/-?\d+/g) ?? []) expect(Math.abs(Number(number)), char).toBeLessThanOrEqual(150);
  }
});
