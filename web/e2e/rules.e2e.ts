// The rules page draws what the rules core says of every man of every game, and the first page is small.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { Site } from "./site";

let site: Site;
beforeAll(async () => void (site = await Site.open()));
afterEach(() => site.leave());
afterAll(() => site?.close());

interface Game {
  key: string;
  name: string;
  sides: { name: string; color: string }[];
  pieces: { name: string; diagrams?: { side: string; cell: string; reach: { cell: string }[] }[] }[];
}

test("every diagram of every game", { timeout: 200_000 }, async () => {
  const { page, context } = await site.visitor();
  const list = (await (await context.request.get("/api/variants")).json()) as { key: string }[];
  expect(list.length).toBeGreaterThan(4);
  let seen = 0;
  for (const { key } of list) {
    const game = (await (await context.request.get(`/api/variants/${key}`)).json()) as Game;
    await page.goto(`/variant/${key}`);
    const pieces = page.getByRole("group", { name: "Pieces" });
    for (const [i, { name, diagrams = [] }] of game.pieces.entries()) {
      await pieces.getByRole("button").nth(i).click();
      for (const { side, cell, reach } of diagrams) {
        const army = game.sides.find(({ color }) => color === side)?.name ?? "";
        if (diagrams.length > 1) await page.locator(".about").getByRole("button", { name: army, exact: true }).click();
        const drawn = page.getByRole("group", { name: `Moves of the ${name} on ${cell}` }).locator("[data-reach]");
        const wanted = [...new Set(reach.map((way) => way.cell))].sort();
        await expect
          .poll(async () => [...new Set(await drawn.evaluateAll((marks) => marks.map((mark) => mark.getAttribute("data-reach") ?? "")))].sort(), { timeout: 10_000 })
          .toEqual(wanted);
        seen++;
      }
    }
  }
  expect(seen).toBeGreaterThan(30);
});

test("a man in the way changes a diagram", async () => {
  const { page } = await site.visitor("phone");
  await page.goto("/variant/standard");
  await page.getByRole("group", { name: "Pieces" }).getByRole("button", { name: "Rook" }).tap();
  const board = page.getByRole("group", { name: /^Moves of the Rook on/ });
  await board.locator('[data-cell="a1"]').tap();
  await expect.poll(() => board.locator("[data-reach]").count()).toBe(14);
  await page.getByRole("button", { name: "Enemy" }).tap();
  await board.locator('[data-cell="a4"]').tap();
  await expect.poll(() => board.locator("[data-reach]").count()).toBe(10);
  await page.getByRole("button", { name: "Own man" }).tap();
  await board.locator('[data-cell="b1"]').tap();
  await expect.poll(() => board.locator("[data-reach]").count()).toBe(3);
});

test("the script of a first visit is at most 200 KiB", async () => {
  const { page } = await site.visitor();
  const scripts: Promise<number>[] = [];
  page.on("requestfinished", (request) => {
    if (request.resourceType() === "script") scripts.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  await page.goto("/");
  await page.getByRole("heading", { name: "Spartan chess", exact: true }).waitFor();
  await page.waitForLoadState("networkidle");
  const bytes = (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeGreaterThan(10 * 1024);
  expect(bytes).toBeLessThanOrEqual(200 * 1024);
});
