// Players about players: following, friends online, notes, blocks, and what a profile tells of games.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { Site, sizes, type Size, type Visitor } from "./site";

let site: Site;
beforeAll(async () => void (site = await Site.open()));
afterEach(() => site.leave());
afterAll(() => site?.close());

/** Two signed-in people of whom the first has beaten the second in a rated game. */
async function rivals(size: Size, suffix: string): Promise<[Visitor, Visitor]> {
  const [winner, loser] = [await site.visitor(size), await site.visitor(size)];
  await winner.signUp(`Gorgo${suffix}`);
  await loser.signUp(`Leonidas${suffix}`);
  const headers = { Origin: site.server.url };
  const post = async (visitor: Visitor, path: string, data: object = {}): Promise<{ id: string }> => {
    const answer = await visitor.context.request.post(path, { data, headers });
    expect(answer.status(), await answer.text()).toBe(200);
    return (await answer.json()) as { id: string };
  };
  const { id } = await post(winner, `/api/challenge/leonidas${suffix}`, { "clock.limit": 600, "clock.increment": 0, color: "white", rated: true });
  await post(loser, `/api/challenge/${id}/accept`);
  await post(winner, `/api/board/game/${id}/move/e2e4`);
  await post(loser, `/api/board/game/${id}/move/e7e5`);
  await post(loser, `/api/board/game/${id}/resign`);
  return [winner, loser];
}

async function faultless(visitor: Visitor): Promise<void> {
  const { page } = visitor;
  await page.waitForLoadState("networkidle");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await visitor.faults()).toEqual([]);
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}

test.each(Object.keys(sizes) as Size[])("a rival's profile on a %s", async (size) => {
  const [gorgo] = await rivals(size, size);
  const { page } = gorgo;
  await page.goto(`/@/leonidas${size}`);
  await page.getByRole("heading", { name: "Rating history" }).waitFor();
  await page.getByText("1 – 0 in 1 game", { exact: false }).waitFor();
  await page.getByRole("heading", { name: "Activity" }).waitFor();
  await page.getByText("Rapid: 1 lost", { exact: false }).waitFor();
  await page.getByText("The days as a table").click();
  await page.getByText("Your notes").click();
  await page.getByLabel("A note that only you see").fill("loses to the king's pawn");
  await page.getByRole("button", { name: "Add" }).click();
  await page.getByText("loses to the king's pawn").waitFor();
  await page.getByRole("button", { name: "Follow", exact: true }).click();
  await page.getByRole("button", { name: "Unfollow" }).waitFor();
  await faultless(gorgo);
});

test("friends online, and a block", async () => {
  const [gorgo, leonidas] = await rivals("desktop", "2");
  await leonidas.page.goto("/lobby");
  const { page } = gorgo;
  await page.goto("/@/leonidas2");
  await page.getByRole("button", { name: "Follow", exact: true }).click();
  await page.getByRole("button", { name: "Unfollow" }).waitFor();
  await page.goto("/lobby");
  const friends = page.getByRole("region", { name: "Friends online" });
  await friends.getByRole("link", { name: "Leonidas2" }).waitFor();
  await faultless(gorgo);
  await friends.getByRole("button", { name: "Play against Leonidas2" }).click();
  expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Leonidas2");

  await leonidas.page.goto("/@/gorgo2");
  await leonidas.page.getByText("Gorgo2 follows you.").waitFor();
  await leonidas.page.getByRole("button", { name: "Block", exact: true }).click();
  await leonidas.page.getByRole("button", { name: "Unblock" }).waitFor();
  await leonidas.page.goto("/@/leonidas2");
  await leonidas.page.getByRole("button", { name: "Unblock Gorgo2" }).waitFor();
  await faultless(leonidas);
  await page.goto("/@/leonidas2");
  await page.getByRole("button", { name: "Block", exact: true }).waitFor();
  expect(await page.getByRole("button", { name: "Follow", exact: true }).count()).toBe(0);
});
