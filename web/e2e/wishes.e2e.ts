// What people have set for their games takes effect in them: confirmed moves, a blindfold, typed moves, time for the
// opponent; and bookmarks, which the profile lists.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { cell, click, clickCell, expectAt, expectMoves, tapCell } from "./board";
import { pair, settled } from "./meet";
import { Site, type Visitor } from "./site";

let site: Site;
beforeAll(async () => void (site = await Site.open()));
afterEach(() => site.leave());
afterAll(() => site?.close());

const rapid = { "clock.limit": 600, "clock.increment": 0 };

test("a move is sent when it has been confirmed, by mouse and by touch", async () => {
  const white = await settled(site, "Anaxandra", { submitMove: 8 });
  const black = await settled(site, "Brasidas", { submitMove: 8 }, "phone");
  await pair(site, white, black, rapid);
  await click(white.page, "e2", "e4");
  await white.page.getByRole("group", { name: "Send this move?" }).waitFor();
  await expectAt(white.page, "e4", /Pawn/);
  await white.page.getByRole("button", { name: "Not this one" }).click();
  await expectAt(white.page, "e2", /Pawn/);
  await click(white.page, "d2", "d4");
  expect(await black.page.getByRole("list", { name: "Moves" }).getByRole("button").count()).toBe(0);
  await white.page.keyboard.press("Enter");
  await expectMoves(white.page, "d4");
  await expectMoves(black.page, "d4");
  await tapCell(black.page, "d7");
  await tapCell(black.page, "d5");
  await black.page.getByRole("button", { name: "Send the move" }).tap();
  await expectMoves(white.page, "d4", "d5");
  expect(await white.faults()).toEqual([]);
});

test("who plays blindfold sees no men, and types moves", async () => {
  const white = await settled(site, "Chilonis", { blindfold: 1, keyboardMove: 1 });
  const black = await settled(site, "Demaratus");
  const id = await pair(site, white, black, rapid);
  const men = white.page.locator("svg .place");
  await cell(white.page, "e2").waitFor();
  expect(await men.count()).toBe(0);
  const field = white.page.getByRole("textbox", { name: "Move" }).first();
  await field.fill("Ne4");
  await field.press("Enter");
  await white.page.getByText(/^.*Ne4.*\.$/).first().waitFor();
  await field.fill("Nf3");
  await field.press("Enter");
  await expectMoves(white.page, "Nf3");
  await clickCell(black.page, "e7");
  await clickCell(black.page, "e5");
  await expectMoves(white.page, "Nf3", "e5");
  await field.fill("f3e5");
  await field.press("Enter");
  await expectMoves(white.page, "Nf3", "e5", "Nxe5");
  await white.page.getByRole("button", { name: "Show the men" }).click();
  await expect.poll(() => men.count()).toBe(31);
  await white.page.getByRole("button", { name: "Show the men" }).click();
  await expect.poll(() => men.count()).toBe(0);
  expect(await white.faults()).toEqual([]);
  const watcher = await settled(site, "Eurydame", { blindfold: 1 });
  await watcher.page.goto(`/${id}`);
  await expect.poll(() => watcher.page.locator("svg .place").count()).toBe(31); // who only watches sees them
});

test("time is given to the opponent, if both want that", async () => {
  const white = await settled(site, "Gyrtias");
  const black = await settled(site, "Hydarnes");
  await pair(site, white, black, { "clock.limit": 60, "clock.increment": 0 });
  const give = white.page.getByRole("button", { name: "+15 s for Hydarnes" });
  await give.click();
  await expect.poll(() => white.page.getByRole("timer", { name: /Hydarnes/ }).textContent()).toMatch(/1:15/);
  await expect.poll(() => black.page.getByRole("timer", { name: /Hydarnes/ }).textContent()).toMatch(/1:15/);
  const answer = await black.context.request.post("/api/account/preferences", { data: { moretime: 1 }, headers: { Origin: site.server.url } });
  expect(answer.ok()).toBe(true);
  await give.click();
  await white.page.getByRole("alert").getByText("Hydarnes does not let time be given in this game").waitFor();
  white.complaints.splice(0); // the refusal
  await black.page.reload();
  await black.page.getByRole("timer", { name: /Hydarnes/ }).waitFor();
  expect(await black.page.getByRole("button", { name: /^\+15 s/ }).count()).toBe(0);
});

test("a bookmarked game is listed in the profile, and so no more", async () => {
  const white = await settled(site, "Ibycus");
  const black = await settled(site, "Jason");
  const id = await pair(site, white, black, rapid);
  const { page } = white;
  const mark = page.getByRole("button", { name: "Bookmark" });
  await mark.click();
  await expect.poll(() => mark.getAttribute("aria-pressed")).toBe("true");
  await page.reload();
  await expect.poll(() => mark.getAttribute("aria-pressed")).toBe("true");
  await page.goto("/@/Ibycus");
  await page.getByRole("button", { name: "Bookmarked (1)" }).click();
  await page.getByRole("list", { name: "Bookmarked (1)" }).getByRole("link", { name: "Ibycus – Jason" }).waitFor();
  expect(await white.faults()).toEqual([]);
  await page.getByRole("link", { name: "Ibycus – Jason" }).click();
  await page.waitForURL(new RegExp(`/${id}$`));
  await expect.poll(() => mark.getAttribute("aria-pressed")).toBe("true");
  await mark.click();
  await expect.poll(() => mark.getAttribute("aria-pressed")).toBe("false");
  await page.goto("/@/Ibycus");
  await page.getByRole("button", { name: "Bookmarked (0)" }).waitFor();
  await page.goto("/@/Jason");
  await page.getByRole("heading", { name: "Last games" }).waitFor();
  expect(await page.getByRole("button", { name: /Bookmarked/ }).count()).toBe(0); // nobody's but one's own
});

test("hidden ratings are nowhere, and zen hides what is around the board", async () => {
  const white = await settled(site, "Kleombrotus", { ratings: 0, zen: 2 });
  const black = await settled(site, "Leotychidas");
  const id = await pair(site, white, black, { ...rapid, rated: true });
  const headers = { Origin: site.server.url };
  await black.page.getByText("1500?").first().waitFor();
  await white.page.getByRole("timer").first().waitFor();
  expect(await white.page.getByText("1500").count()).toBe(0);
  await white.page.getByRole("navigation", { name: "Main" }).waitFor({ state: "hidden" });
  expect(await white.page.getByRole("log").count()).toBe(0);
  for (const [player, move] of [[white, "e2e4"], [black, "e7e5"]] as const) {
    expect((await player.context.request.post(`/api/board/game/${id}/move/${move}`, { headers })).ok()).toBe(true);
  }
  await white.page.getByRole("button", { name: "Resign" }).click();
  await white.page.getByRole("button", { name: "Really resign?" }).click();
  await white.page.getByRole("navigation", { name: "Main" }).waitFor(); // only while one plays

  const answer = await black.context.request.get("/api/user/Leotychidas");
  const { perfs } = (await answer.json()) as { perfs: Record<string, { rating: number }> };
  const rating = String(perfs["rapid"]?.rating);
  const shows = (visitor: Visitor, where: string): Promise<number> => visitor.page.locator(where).getByText(rating).count();
  await Promise.all([white, black].map(({ page }) => page.goto("/@/Leotychidas")));
  await expect.poll(() => shows(black, "main")).toBeGreaterThan(0);
  await white.page.getByText("Ratings are hidden").waitFor();
  await white.page.getByText("Rapid: 1 won").waitFor();
  expect(await shows(white, "main")).toBe(0);

  await Promise.all([white, black].map(({ page }) => page.goto("/lobby")));
  await black.page.getByRole("button", { name: "Anyone" }).click();
  await black.page.getByRole("button", { name: "Look for an opponent" }).click();
  for (const { page } of [white, black]) await page.getByRole("region", { name: "Open seeks" }).getByText("Leotychidas").waitFor();
  expect(await shows(black, "main")).toBe(1);
  expect(await shows(white, "main")).toBe(0);
});
