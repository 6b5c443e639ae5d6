import { expect, it } from "vitest";
import { huesOf } from "./hues";

it("gives sides the colours that they are called, and others one each", () => {
  const [red, north, blue, south] = huesOf([{ name: "Red" }, { name: "North" }, { name: "Blue" }, { name: "South" }]);
  expect([red, blue]).toEqual(["#e2695c", "#74a6e8"]);
  expect(new Set([red, north, blue, south]).size).toBe(4);
});
