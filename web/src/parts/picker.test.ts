import { describe, expect, it } from "vitest";
import { found, grouped } from "./picker";

const games = [
  { key: "standard", name: "Chess", category: "Chess and variants" },
  { key: "glinski", name: "Gliński's hexagonal chess", category: "Chess and variants" },
  { key: "grand", name: "Grand chess", category: "Big chess" },
  { key: "chuShogi", name: "Chu shogi", category: "The chess family" },
];
const keys = (wanted: string): string[] => found(games, wanted).map(({ key }) => key);

describe("found", () => {
  it.each([
    ["", ["standard", "glinski", "grand", "chuShogi"]],
    ["glinski", ["glinski"]],
    ["GLIŃSKI’S hex", ["glinski"]],
    ["chess big", ["grand"]],
    ["chess", ["standard", "glinski", "grand", "chuShogi"]],
    ["chu", ["chuShogi"]],
    ["xiangqi", []],
  ])("%s", (wanted, want) => {
    expect(keys(wanted)).toEqual(want);
  });
});

describe("grouped", () => {
  it("keeps the order of categories and games", () => {
    expect(grouped(games).map(([category, members]) => [category, members.length])).toEqual(
      [["Chess and variants", 2], ["Big chess", 1], ["The chess family", 1]]);
  });
});
