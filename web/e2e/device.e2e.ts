// Games on one device: mate, castling with a man in hand that enters, and a hoplite that becomes a king.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { cell, click, drag, expectAt, expectMoves, tap } from "./board";
import { Site } from "./site";

let site: Site;
beforeAll(async () => void (site = await Site.open()));
afterEach(() => site.leave());
afterAll(() => site?.close());

test("a Spartan fool's mate, by click and by drag, on a board that turns", async () => {
  const { page } = await site.visitor();
  await page.goto("/play/spartan");
  await page.getByRole("group", { name: /Persians at the bottom/ }).waitFor();
  await click(page, "f2", "f3");
  await expectMoves(page, "f3");
  await page.getByRole("group", { name: /Spartans at the bottom/ }).waitFor();
  await drag(page, "g8", "f6");
  await expectMoves(page, "f3", "Wf6");
  await click(page, "g2", "g4");
  await expectMoves(page, "f3", "Wf6", "g4");
  await drag(page, "f6", "h4");
  await expectMoves(page, "f3", "Wf6", "g4", "Wh4#");
  await expect.poll(() => page.getByRole("status").allTextContents()).toContainEqual(expect.stringMatching(/checkmate/i));
  expect(await page.getByRole("list", { name: "Moves" }).textContent()).toContain("0-1");
  await page.getByRole("button", { name: "Take back" }).click();
  await expectMoves(page, "f3", "Wf6", "g4");
});

test("castling with a man that enters, by touch on a phone", async () => {
  const { page } = await site.visitor("phone");
  await page.goto(`/play/seirawan?${new URLSearchParams({ fen: "4k3/8/8/8/8/8/8/R3K2R[HE] w KQ - 0 1" })}`);
  await page.getByLabel("Turn the board with the turn").uncheck();
  await tap(page, "e1", "g1");
  const choice = page.getByRole("dialog", { name: "Which move?" });
  await choice.locator('[data-move="e1g1h"]').tap();
  await expectMoves(page, "O-O/He1");
  await expectAt(page, "e1", /first player's hawk/i);
  await expectAt(page, "f1", /first player's rook/i);
  await expectAt(page, "g1", /first player's king/i);
  await page.getByRole("button", { name: "Take back" }).tap();
  await expectAt(page, "e1", /first player's king/i);
  // The king onto his own rook castles too; the man enters where the rook stood.
  await tap(page, "e1", "h1");
  await choice.locator('[data-move="h1e1e"]').tap();
  await expectMoves(page, "O-O/Eh1");
  await expectAt(page, "h1", /first player's elephant/i);
});

test("a hoplite becomes a king while there is only one", async () => {
  const { page } = await site.visitor();
  await page.goto(`/play/spartan?${new URLSearchParams({ fen: "7k/8/8/8/8/8/1h6/3K3R b - - 0 1" })}`);
  // The king stands in check of the rook; a second king in safety answers it, and nothing else that the hoplite can become.
  await click(page, "b2", "a1");
  await expectMoves(page, "a1=K");
  await expectAt(page, "a1", /second player's king/i);
  await expectAt(page, "h8", /second player's king/i);

  // Out of check it may be any man, a king among them.
  await page.goto(`/play/spartan?${new URLSearchParams({ fen: "1k6/8/8/8/8/8/h7/R3K3 b Q - 0 1" })}`);
  await click(page, "a2", "b1");
  const choice = page.getByRole("dialog", { name: "Which move?" });
  await expect.poll(() => choice.getByRole("button").count()).toBe(5);
  await choice.getByRole("button", { name: /king/i }).click();
  await expectMoves(page, "b1=K");
  await expectAt(page, "b1", /second player's king/i);
});

test("a board by keyboard alone, and by its text", async () => {
  const { page } = await site.visitor();
  await page.goto("/play/standard");
  await cell(page, "e2").focus();
  await page.keyboard.press("Enter");
  await expectAt(page, "e4", /can be reached/);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expectMoves(page, "e4");
  await page.getByLabel("Turn the board with the turn").uncheck();
  await cell(page, "g8").focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Escape");
  await expectAt(page, "f6", /^f6, empty$/);
});
