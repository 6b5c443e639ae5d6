// Moves of other kinds than from cell to cell, on one device: drops, a man of nobody's, passes, prisoners, and boards that
// are no squares.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { cell, click, clickCell, expectAt, expectMoves, tap } from "./board";
import { Site } from "./site";

let site: Site;
beforeAll(async () => void (site = await Site.open()));
afterEach(() => site.leave());
afterAll(() => site?.close());

const from = (fen: string): string => `?${new URLSearchParams({ fen })}`;

test("a man in hand is dragged to the board, and another put there by keyboard", async () => {
  const { page } = await site.visitor();
  await page.goto(`/play/crazyhouse${from("4k3/8/8/8/8/8/8/4K3[NNp] w - - 0 1")}`);
  await page.getByLabel("Turn the board with the turn").uncheck();
  const knight = page.getByRole("list", { name: "White’s hand" }).getByRole("button", { name: "2 Knight" });
  const box = await knight.boundingBox();
  const goal = await cell(page, "f3").boundingBox();
  if (!box || !goal) throw new Error("nothing to drag");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(goal.x + 10, goal.y + 10, { steps: 5 });
  await page.mouse.up();
  await expectMoves(page, "N@f3");
  await expectAt(page, "f3", /first player's Knight/);
  const pawn = page.getByRole("list", { name: "Black’s hand" }).getByRole("button", { name: "1 Pawn" });
  await pawn.focus();
  await page.keyboard.press("Enter");
  await expectAt(page, "e4", /can be reached/);
  // A second press lets it go, a third takes it again.
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await cell(page, "e4").focus();
  await page.keyboard.press("Enter");
  await expectMoves(page, "N@f3", "P@e4");
});

test("a move is given up half way, and made with the man of nobody's", async () => {
  const { page } = await site.visitor("phone");
  await page.goto("/play/duck");
  await page.getByLabel("Turn the board with the turn").uncheck();
  await tap(page, "e2", "e4");
  await page.getByRole("button", { name: "Cancel" }).tap();
  await expectAt(page, "e4", /^e4, empty$/);
  await tap(page, "d2", "d4", "d2");
  await expectMoves(page, "d4@d2");
  await expectAt(page, "d2", /^d2, Duck$/);
});

test("a pass is a button, and a reload keeps the game", async () => {
  const { page } = await site.visitor();
  await page.goto("/play/janggi");
  await page.getByRole("button", { name: "Pass" }).click();
  await expect.poll(async () => (await page.getByRole("list", { name: "Moves" }).getByRole("button").count())).toBe(1);
  await page.reload();
  await expect.poll(async () => (await page.getByRole("list", { name: "Moves" }).getByRole("button").count()), { timeout: 10_000 }).toBe(1);
  await page.getByRole("group", { name: /Han at the bottom/ }).waitFor();
});

test("a prisoner is given for another", async () => {
  const { page } = await site.visitor();
  // White holds a black knight, Black a white bishop.
  await page.goto(`/play/hostage${from("4k3/8/8/8/8/8/8/4K3[][Bn] w - - 0 1")}`);
  await page.getByLabel("Turn the board with the turn").uncheck();
  await page.getByRole("list", { name: "White’s prisoners" }).getByRole("button").click();
  await page.getByRole("list", { name: "Black’s prisoners" }).getByRole("button").click();
  await click(page, "f7");
  await expectMoves(page, "(N-B)B@f7+");
  await expectAt(page, "f7", /first player's Bishop/);
  expect(await page.getByRole("list", { name: "Black’s hand" }).getByRole("button").textContent()).toMatch(/1 Knight/);
});

test("hexagons and a ring, by mouse and by arrow keys", async () => {
  const { page } = await site.visitor();
  await page.goto("/play/glinski");
  await clickCell(page, "e4");
  await clickCell(page, "e6");
  await expectMoves(page, "e6");
  await page.goto("/play/byzantine");
  await cell(page, "d1").focus();
  await page.keyboard.press("Enter");
  await expectAt(page, "c1", /can be reached|Anticlockwise/);
  await page.keyboard.press("ArrowLeft");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("data-cell"))).not.toBe("d1");
});

test("a game is found by typing", async () => {
  const { page } = await site.visitor();
  await page.goto("/lobby");
  await expect.poll(() => page.getByLabel(/^Game/).inputValue(), { timeout: 10_000 }).not.toBe("");
  await page.getByLabel("Find a game").fill("glinski");
  await expect.poll(() => page.getByLabel(/^Game/).inputValue()).toBe("glinski");
});

test("a declaration is a button that appears when it is open", async () => {
  const { page } = await site.visitor();
  await page.goto(`/play/makruk${from("3rk3/8/8/8/8/8/3RM3/4K3 b - - 0 1")}`);
  await page.getByRole("button", { name: "Count start" }).click();
  await expectMoves(page, "count start");
  await page.getByRole("button", { name: "Count stop" }).waitFor();
  expect(await page.getByText(/^Count/).first().isVisible()).toBe(true);
});
