// What the engine says of a game that is over.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { moves } from "./board";
import { begin } from "./meet";
import { Site } from "./site";

let site: Site;
beforeAll(async () => void (site = await Site.open()));
afterEach(() => site.leave());
afterAll(() => site?.close());

test("a finished game is looked at once, for everybody", async () => {
  const [white, black, id] = await begin(site, ["Darius", "Timo"], {});
  const headers = { Origin: site.server.url };
  for (const [i, move] of ["f2f3", "e7e5", "g2g4", "d8h4"].entries()) {
    const player = [white, black][i % 2];
    const answer = await player?.context.request.post(`/api/board/game/${id}/move/${move}`, { headers });
    expect(answer?.ok(), await answer?.text()).toBe(true);
  }
  await white.page.getByRole("button", { name: "Computer analysis" }).click();
  const table = white.page.getByRole("region", { name: "Analysis" });
  await table.waitFor({ timeout: 60_000 });
  await expect.poll(() => moves(white.page), { timeout: 30_000 }).toEqual(["f3", "e5", "g4??", "Qh4#"]);
  expect(await table.getByRole("row").nth(1).textContent()).toMatch(/^White/);

  // Who comes later, and is nobody, sees it as well, and can look through the game by the curve.
  const { page } = await site.visitor("phone");
  await page.goto(`/${id}`);
  await page.getByRole("img", { name: /chances of White/ }).click({ position: { x: 2, y: 10 } });
  await expect.poll(() => page.getByRole("button", { name: "To the start" }).isDisabled(), { timeout: 30_000 }).toBe(true);
  expect(await page.getByRole("button", { name: "Computer analysis" }).count()).toBe(0);
});
