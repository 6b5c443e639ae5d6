// Games of kinds that the catalogue does not have yet, played by mouse: one that hides things, and one of four.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { cell, clickCells, expectAt, expectMoves, moves } from "./board";
import { pair } from "./meet";
import { Site, type Visitor } from "./site";

let site: Site;
beforeAll(async () => void (site = await Site.stage()), 300_000); // it is built first
afterEach(() => site.leave());
afterAll(() => site?.close());

/** The cells that the page says nothing of, and those that it draws as such. */
async function unknown({ page }: Visitor): Promise<{ told: string[]; drawn: number }> {
  const told = await page.locator('svg [data-cell][aria-label*="unknown"]').evaluateAll((cells) => cells.map((cell) => cell.getAttribute("data-cell") ?? ""));
  return { told: told.sort(), drawn: await page.locator("svg path.unknown").count() };
}

const men = ({ page }: Visitor): Promise<number> => page.locator("svg .place").count();

test("in a game that hides things each side sees what its men do, and the end shows all", async () => {
  const [white, black, watcher] = [await site.visitor(), await site.visitor("phone"), await site.visitor()];
  await white.signUp("Gyges");
  await black.signUp("Candaules");
  const id = await pair(site, white, black, { variant: "darkTest" });
  await watcher.page.goto(`/${id}`);
  for (const { page } of [white, black, watcher]) await cell(page, "a2").waitFor();
  expect(await men(white)).toBe(10);
  expect(await men(black)).toBe(10);
  expect(await men(watcher)).toBe(0); // who plays neither side sees what both do
  const [seen, hidden] = [await unknown(white), await unknown(black)];
  expect(seen.told).toHaveLength(seen.drawn);
  expect(seen.told).toContain("a6");
  expect(seen.told).not.toContain("a2");
  expect(hidden.told).toContain("a1");
  expect((await unknown(watcher)).told).toHaveLength(30);
  expect(await white.faults()).toEqual([]);

  await clickCells(white.page, "c2", "c3");
  await expectMoves(white.page, "c3");
  await expect.poll(() => moves(black.page)).toHaveLength(1);
  expect(await moves(black.page)).toEqual(["?"]);
  await expectAt(black.page, "c2", /unknown/);
  await expectAt(white.page, "c3", /Pawn/);
  await clickCells(black.page, "c5", "c4");
  await expectMoves(black.page, "?", "c4");
  await expectAt(white.page, "c4", /Pawn/); // now the pawns meet
  await white.page.getByRole("button", { name: "Resign" }).click();
  await white.page.getByRole("button", { name: "Really resign?" }).click();
  for (const visitor of [white, black, watcher]) {
    await expect.poll(() => men(visitor), { timeout: 30_000 }).toBe(20);
    expect((await unknown(visitor)).told).toEqual([]);
  }
});

test("four play each on a side of their own, and are out one after the other", { timeout: 180_000 }, async () => {
  const names = ["Rita", "Boris", "Yara", "Gustav"] as const;
  const players = await Promise.all(names.map((_, i) => site.visitor(i === 3 ? "phone" : "desktop")));
  for (const [i, player] of players.entries()) await player.signUp(names[i] ?? "");
  await site.server.say(`four four4our ${names.join(" ")}`);
  await Promise.all(players.map(({ page }) => page.goto("/four4our")));
  const [red, blue, yellow, green] = players as [Visitor, Visitor, Visitor, Visitor];
  for (const player of players) {
    await cell(player.page, "d1").waitFor();
    expect(await men(player)).toBe(12);
    for (const name of names) await player.page.getByRole("timer", { name: `${name}’s clock` }).waitFor();
    // Each has the own men at the lower edge.
    const heights = await player.page.evaluate(() => ["d1", "a4", "d7", "g4"].map((name) => document.querySelector(`[data-cell=${name}]`)?.getBoundingClientRect().top ?? 0));
    expect(heights.indexOf(Math.max(...heights))).toBe(players.indexOf(player));
  }
  const colours = await red.page.locator("svg .man .body").evaluateAll((bodies) => bodies.map((body) => getComputedStyle(body).fill));
  expect(new Set(colours).size).toBe(4);
  expect(await green.faults()).toEqual([]);

  await clickCells(red.page, "c1", "d3");
  await expectMoves(blue.page, "Nd3");
  await clickCells(blue.page, "a5", "c4");
  await expectMoves(yellow.page, "Nd3", "Nc4");
  await clickCells(yellow.page, "e7", "d5");
  await expectMoves(green.page, "Nd3", "Nc4", "Nd5");
  await clickCells(green.page, "g3", "e4");
  for (const { page } of players) await expectMoves(page, "Nd3", "Nc4", "Nd5", "Ne4");
  await clickCells(red.page, "d1", "d2");
  await expectMoves(blue.page, "Nd3", "Nc4", "Nd5", "Ne4", "Kd2");
  await clickCells(blue.page, "a3", "d3");
  await red.page.getByText("3 points").waitFor();
  for (const [i, { page }] of [yellow, red, green].entries()) {
    await page.getByRole("button", { name: "Resign" }).click();
    await page.getByRole("button", { name: "Really resign?" }).click();
    if (i < 2) await blue.page.getByText("is out").nth(i).waitFor();
  }
  for (const { page } of players) {
    await expect.poll(() => page.getByRole("list", { name: "Moves" }).textContent(), { timeout: 30_000 }).toContain("Blue win");
    await page.getByText("place 1").waitFor();
  }
});
