import { expect, test } from "vitest";
import { perfName } from "./perfs";

test("names of ratings", () => {
  const games = new Map([["spartan", "Spartan Chess"]]);
  expect(perfName("blitz", games)).toBe("Blitz");
  expect(perfName("spartan", games)).toBe("Spartan Chess");
  expect(perfName("bots/blitz", games)).toBe("Blitz against bots");
  expect(perfName("puzzle/spartan", games)).toBe("Spartan Chess puzzles");
  expect(perfName("puzzle", games)).toBe("Puzzles");
  expect(perfName("unheard/of", games)).toBe("unheard/of");
});
