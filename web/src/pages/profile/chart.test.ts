import { expect, test } from "vitest";
import { chart, points } from "./chart";

test("days of a history", () => {
  expect(points({ name: "Blitz", points: [[2026, 10, 30, 1587]] })).toEqual([{ time: Date.UTC(2026, 10, 30), rating: 1587 }]);
});

test("a line in steps within the box", () => {
  const day = 86_400_000;
  const { path, points: placed, lines } = chart([{ time: 0, rating: 1500 }, { time: day, rating: 1580 }, { time: 4 * day, rating: 1520 }], 400, 200);
  expect(placed.map(({ x }) => x)).toEqual([0, 100, 400]);
  for (const { y } of placed) expect(y).toBeGreaterThan(0);
  for (const { y } of placed) expect(y).toBeLessThan(200);
  expect(placed[1]!.y).toBeLessThan(placed[0]!.y);
  expect(path).toMatch(/^M0 [\d.]+H100V[\d.]+H400V[\d.]+$/);
  expect(lines.map(({ rating }) => rating)).toEqual([1400, 1500, 1600]);
});

test("one day stands in the middle", () => {
  const { points: placed } = chart([{ time: 5, rating: 1500 }], 400, 200);
  expect(placed).toHaveLength(1);
  expect(placed[0]!.x).toBe(200);
  expect(Number.isFinite(placed[0]!.y)).toBe(true);
});
