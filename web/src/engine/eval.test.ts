import { describe, expect, it } from "vitest";
import { lineText, share, valueText } from "./eval";

describe("valueText", () => {
  it.each([
    [{ cp: 130 }, "+1.3"], [{ cp: -50 }, "−0.5"], [{ cp: 0 }, "0.0"], [{ cp: -4 }, "0.0"], [{ cp: 1530 }, "+15"], [{ cp: 0, mate: 3 }, "#3"], [{ cp: 0, mate: -2 }, "#−2"],
  ])("%o is %s", (value, text) => expect(valueText(value)).toBe(text));
});

describe("share", () => {
  it("is even at nought, grows with the advantage and full with a mate", () => {
    expect(share({ cp: 0 })).toBe(0.5);
    expect(share({ cp: 100 })).toBeCloseTo(0.591, 3);
    expect(share({ cp: 100 }) + share({ cp: -100 })).toBeCloseTo(1);
    expect(share({ cp: -900, mate: 1 })).toBe(1);
    expect(share({ cp: 900, mate: -1 })).toBe(0);
  });
});

describe("lineText", () => {
  it("numbers from the first seat's move", () => expect(lineText(["e4", "e5", "Nf3"], 1, 0)).toBe("1. e4 e5 2. Nf3"));
  it("numbers from the second seat's move", () => expect(lineText(["e5", "Nf3", "Nc6"], 4, 1)).toBe("4… e5 5. Nf3 Nc6"));
});
