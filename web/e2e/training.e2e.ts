// Puzzles, judged by the server.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { click, expectMoves, moves } from "./board";
import { Site, type Visitor } from "./site";

let site: Site;
beforeAll(async () => void (site = await Site.open()));
afterEach(() => site.leave());
afterAll(() => site?.close());

interface Puzzle {
  puzzle: { id: string; solution: string[] };
}

async function puzzle({ context, page }: Visitor): Promise<Puzzle["puzzle"]> {
  const answer = await context.request.get("/api/puzzle/next?variant=spartan");
  const { puzzle } = (await answer.json()) as Puzzle;
  await page.goto(`/training/${puzzle.id}`);
  await page.getByText(/to move/).first().waitFor();
  return puzzle;
}

async function make({ page }: Visitor, move: string): Promise<void> {
  await click(page, ...(move.match(/[a-z]\d/g) ?? []));
  const choice = page.getByRole("dialog", { name: "Which move?" });
  if (/[a-z]$/.test(move)) await choice.locator(`[data-move="${move}"]`).click();
}

test("solve a puzzle", async () => {
  const visitor = await site.visitor();
  await visitor.signUp("Solver");
  const { solution } = await puzzle(visitor);
  for (let i = 0; i < solution.length; i += 2) {
    await expect.poll(() => moves(visitor.page).then((made) => made.length)).toBe(i);
    await make(visitor, solution[i] ?? "");
  }
  await visitor.page.getByText("Solved!").waitFor();
  const { id } = await visitor.context.request.get("/api/account").then((answer) => answer.json() as Promise<{ id: string }>);
  expect(id).toBe("solver");
  await visitor.page.getByRole("button", { name: "Next puzzle" }).click();
  await expectMoves(visitor.page);
});

test("fail a puzzle, be shown the solution, try again", async () => {
  const visitor = await site.visitor("phone");
  const { solution } = await puzzle(visitor);
  const { page } = visitor;
  // Any move that does not begin the solution; the text of the board takes them by name.
  const from = await page.locator("svg [data-cell].startable").evaluateAll((cells) => cells.map((cell) => cell.getAttribute("data-cell") ?? ""));
  const start = from.find((name) => !solution[0]?.startsWith(name)) ?? from[0] ?? "";
  await click(page, start);
  const target = await page.locator("svg [data-cell].target").first().getAttribute("data-cell");
  await click(page, target ?? "");
  // Some men ask which of several moves is meant: with or without a man that comes in, or what a pawn becomes.
  const choice = page.getByRole("dialog", { name: "Which move?" });
  const verdict = page.getByText("That is not it.");
  await choice.or(verdict).first().waitFor();
  if (await choice.isVisible()) await choice.locator("[data-move]").first().click();
  await verdict.waitFor();
  await page.getByRole("button", { name: "Show solution" }).click();
  await expect.poll(() => moves(page).then((made) => made.length), { timeout: 30_000 }).toBe(solution.length);
  await page.getByRole("button", { name: "Try again" }).click();
  await expectMoves(page);
});
