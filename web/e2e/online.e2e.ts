// Games over the server: against a bot, and between two browsers through a crash of the server.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { click, drag, expectAt, expectMoves, moves, tap } from "./board";
import { Site, type Visitor } from "./site";

let site: Site;
beforeAll(async () => void (site = await Site.open("1")));
afterEach(() => site.leave());
afterAll(() => site?.close());

test("sign up, play a bot, resign", async () => {
  const { page } = await site.visitor();
  await page.goto("/lobby");
  await page.getByRole("link", { name: "Sign up" }).click();
  await page.getByLabel("User name").fill("Leonidas");
  await page.getByLabel("Password").fill("short");
  await page.getByRole("button", { name: "Sign up" }).click();
  await page.getByText("Password must have at least 8 characters.").waitFor();
  await page.getByLabel("Password").fill("come and take it");
  await page.getByRole("button", { name: "Sign up" }).click();
  await page.getByRole("link", { name: "Leonidas" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/lobby");

  await page.getByRole("button", { name: "A bot" }).click();
  await page.getByLabel(/^Game/).selectOption("spartan");
  await page.getByLabel("You play").selectOption("white");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForURL(/\/[A-Za-z0-9]{8}$/);

  await click(page, "e2", "e4");
  await expect.poll(async () => (await moves(page)).length, { timeout: 30_000 }).toBe(2);
  await expectAt(page, "e4", /first player's pawn/i);
  await drag(page, "g1", "f3");
  await expect.poll(async () => (await moves(page)).length, { timeout: 30_000 }).toBe(4);

  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("button", { name: "Really resign?" }).click();
  await expect.poll(() => page.getByRole("list", { name: "Moves" }).textContent()).toMatch(/Spartans win|resign/i);
  await page.getByRole("button", { name: "Rematch" }).waitFor();
});

test("beat a Novice bot from a position, and ask for a rematch", async () => {
  const visitor = await site.visitor("phone");
  const { page } = visitor;
  await visitor.signUp("Artemisia");
  await page.goto("/lobby?variant=spartan");
  await expect.poll(() => page.getByLabel(/^Game/).inputValue()).toBe("spartan");
  await page.getByRole("button", { name: "A bot" }).tap();
  await page.getByLabel("You play").selectOption("white");
  await page.getByLabel(/^From a position/).fill("k6k/hh4hh/8/8/8/8/7P/3KQ3 w - - 0 1");
  await page.getByRole("button", { name: "Play", exact: true }).tap();
  await page.waitForURL(/\/[A-Za-z0-9]{8}$/);
  await tap(page, "h2", "h3");
  await expect.poll(async () => (await moves(page)).length, { timeout: 30_000 }).toBe(2);
  await page.getByRole("button", { name: "Take back" }).tap();
  await expectMoves(page);
  await tap(page, "e1", "e8");
  await expectMoves(page, "Qe8#");
  await expect.poll(() => page.getByRole("list", { name: "Moves" }).textContent()).toContain("Checkmate · Persians win");
  const before = page.url();
  await page.getByRole("button", { name: "Rematch" }).tap();
  await expect.poll(() => page.url(), { timeout: 30_000 }).not.toBe(before);
  await page.getByRole("group", { name: /Spartans at the bottom/ }).waitFor(); // the sides change
});

async function meet(one: Visitor, other: Visitor, variant: string): Promise<void> {
  await Promise.all([one.page.goto("/lobby"), other.page.goto("/lobby")]);
  const [{ username }] = await Promise.all([
    other.context.request.get("/api/account").then((answer) => answer.json() as Promise<{ username: string }>),
    one.page.getByRole("button", { name: "By name" }).click(),
  ]);
  await one.page.getByLabel("Name", { exact: true }).fill(username);
  await one.page.getByLabel(/^Game/).selectOption(variant);
  await one.page.getByLabel("You play").selectOption("white");
  await one.page.getByRole("button", { name: "Play", exact: true }).click();
  await other.page.getByRole("button", { name: "Accept", exact: true }).click();
  await Promise.all([one, other].map(({ page }) => page.waitForURL(/\/[A-Za-z0-9]{8}$/)));
}

test("two browsers play on through kill -9 of the server, without a reload", async () => {
  const [white, black] = [await site.visitor(), await site.visitor("phone")];
  await white.signUp("Xerxes");
  await black.signUp("Gorgo");
  await meet(white, black, "spartan");
  const both = [white, black];
  for (const { page } of both) await page.evaluate(() => ((globalThis as { loadedOnce?: boolean }).loadedOnce = true));

  await click(white.page, "e2", "e4");
  await expectMoves(black.page, "e4");
  await drag(black.page, "g8", "f6");
  await expectMoves(white.page, "e4", "Wf6");

  await site.server.kill();
  for (const { page } of both) await page.getByText("Reconnecting…").waitFor();
  await site.server.restart();
  for (const { page } of both) await page.getByText("Reconnecting…").waitFor({ state: "hidden" });
  for (const visitor of both) visitor.forgiveNetwork();

  await click(white.page, "g1", "f3");
  await expectMoves(black.page, "e4", "Wf6", "Nf3");
  await expectMoves(white.page, "e4", "Wf6", "Nf3");

  // A move made while the server is away is played when it is back.
  await site.server.kill();
  await black.page.getByText("Reconnecting…").waitFor();
  await click(black.page, "f6", "g8");
  await site.server.restart();
  for (const { page } of both) await expectMoves(page, "e4", "Wf6", "Nf3", "Wg8");
  for (const visitor of both) visitor.forgiveNetwork();

  for (const { page } of both) expect(await page.evaluate(() => (globalThis as { loadedOnce?: boolean }).loadedOnce)).toBe(true);

  // White moves, sends a knight ahead of the turn, and it goes when Black has answered.
  await click(white.page, "d2", "d4");
  await expectMoves(black.page, "e4", "Wf6", "Nf3", "Wg8", "d4");
  await click(white.page, "b1", "c3");
  await expectMoves(white.page, "e4", "Wf6", "Nf3", "Wg8", "d4");
  await click(black.page, "g8", "f6");
  for (const { page } of both) await expectMoves(page, "e4", "Wf6", "Nf3", "Wg8", "d4", "Wf6", "Nc3");

  await black.page.getByRole("button", { name: "Offer a draw" }).click();
  await white.page.getByRole("button", { name: "Accept the draw" }).click();
  for (const { page } of both) await expect.poll(() => page.getByRole("list", { name: "Moves" }).textContent()).toMatch(/draw/i);
});

test("one press pairs two people, and a second press stops the search", async () => {
  const [one, other] = [await site.visitor(), await site.visitor("phone")];
  await one.signUp("Pausanias");
  await other.signUp("Mardonius");
  for (const { page } of [one, other]) {
    await page.goto("/lobby");
    await page.getByLabel(/^Game/).selectOption("spartan");
  }
  const looking = { name: "5+3 Looking…" };
  await one.page.getByRole("button", { name: "5+3 Blitz" }).click();
  await one.page.getByRole("button", looking).waitFor();
  expect(await one.faults()).toEqual([]);
  await one.page.getByRole("button", looking).click();
  await one.page.getByRole("button", { name: "5+3 Blitz" }).waitFor();
  await other.page.getByRole("button", { name: "5+3 Blitz" }).tap();
  await other.page.getByRole("button", looking).waitFor(); // there is nobody any more
  await one.page.getByRole("button", { name: "3+2 Blitz" }).click();
  await one.page.getByRole("button", { name: "3+2 Looking…" }).waitFor();
  await other.page.getByRole("button", { name: "3+2 Blitz" }).tap(); // instead of the other
  await Promise.all([one, other].map(({ page }) => page.waitForURL(/\/[A-Za-z0-9]{8}$/)));
  await one.page.getByText("3+2 · rated").waitFor();
});

test("who has to sign up first finds the chosen game and opponent again", async () => {
  const { page } = await site.visitor();
  await page.goto("/lobby");
  await page.getByLabel(/^Game/).selectOption("spartan");
  await page.getByRole("button", { name: "By name" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Leonidas");
  await page.getByRole("button", { name: "5+3 Blitz" }).click();
  await page.getByLabel("User name").fill("Ephialtes");
  await page.getByLabel("Password").fill("the path behind");
  await page.getByRole("button", { name: "Sign up" }).click();
  await page.getByRole("link", { name: "Ephialtes" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/lobby");
  await expect.poll(() => page.getByLabel(/^Game/).inputValue()).toBe("spartan");
  expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Leonidas");
  await page.getByRole("button", { name: "5+3 Blitz" }).click();
  await page.getByRole("button", { name: "5+3 Looking…" }).waitFor();
});

test("a search ends with the lobby", async () => {
  const [one, other] = [await site.visitor(), await site.visitor()];
  await one.signUp("Tomyris");
  await other.signUp("Spargapises");
  await one.page.goto("/lobby");
  await other.page.goto("/lobby");
  await one.page.getByRole("button", { name: "10+0 Rapid" }).click();
  await one.page.getByRole("button", { name: "10+0 Looking…" }).waitFor();
  await one.page.getByRole("link", { name: "Puzzles" }).click();
  await one.page.getByRole("link", { name: "Play", exact: true }).click();
  await one.page.getByRole("button", { name: "10+0 Rapid" }).waitFor();
  await other.page.getByRole("button", { name: "10+0 Rapid" }).click();
  await other.page.getByRole("button", { name: "10+0 Looking…" }).waitFor(); // there is nobody any more
});
