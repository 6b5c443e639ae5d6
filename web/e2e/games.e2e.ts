// Every game that the server lists: a move by mouse and one by touch against the server's engine, and its answers.
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { clickCell, moves, tapCell } from "./board";
import { Site } from "./site";

let site: Site;
beforeAll(async () => void (site = await Site.open("1")));
afterEach(() => site.leave());
afterAll(() => site?.close());

interface Game {
  key: string;
  name: string;
  sides: { name: string }[];
}

/** The way in which a player points at a cell or at a man beside the board. */
interface Pointer {
  cell(name: string): Promise<void>;
  button(selector: string): Promise<void>;
}

const mouse = (page: Page): Pointer => ({
  cell: (name) => clickCell(page, name),
  button: (selector) => page.locator(selector).first().click(),
});
const finger = (page: Page): Pointer => ({
  cell: (name) => tapCell(page, name),
  button: (selector) => page.locator(selector).first().tap(),
});

/** What may be pointed at next, as the board shows it. */
function offered(page: Page): Promise<{ targets: string[]; origins: string[]; hand: string[]; chooser: boolean; done: boolean }> {
  return page.evaluate(() => {
    const names = (selector: string): string[] => [...document.querySelectorAll(selector)].map((cell) => cell.getAttribute("data-cell") ?? "");
    return {
      targets: names("svg [data-cell].target"),
      origins: names("svg [data-cell].startable"),
      hand: [...document.querySelectorAll("[data-element]:not(:disabled)")].map((button) => button.getAttribute("data-element") ?? ""),
      chooser: document.querySelector("dialog[open] [data-move]") !== null,
      done: [...document.querySelectorAll("button")].some(({ textContent }) => textContent === "Done"),
    };
  });
}

async function isTurnOf(page: Page, side: string): Promise<boolean> {
  return (await page.locator(".text-board p").first().textContent())?.trim().startsWith(`${side} to move`) ?? false;
}

async function plies(page: Page): Promise<number> {
  return (await moves(page)).length;
}

/** Points at something that is offered until a move has been made. */
async function makeMove(page: Page, pointer: Pointer): Promise<void> {
  const before = await plies(page);
  for (let pointed = 0; pointed < 8; pointed++) {
    const { targets, origins, hand, chooser, done } = await offered(page);
    if (chooser) await pointer.button("dialog[open] [data-move]");
    else if (targets.length > 0) await pointer.cell(targets[Math.floor(targets.length / 2)] ?? "");
    else if (done) await pointer.button('button:text-is("Done")');
    else if (origins.length > 0) await pointer.cell(origins[Math.floor(origins.length / 2)] ?? "");
    else if (hand.length > 0) await pointer.button("[data-element]:not(:disabled)");
    else throw new Error("nothing can be pointed at");
    // A move that was sent is in the list soon; a path that goes on offers targets at once.
    const arrived = async (): Promise<boolean> => (await plies(page)) > before;
    const goesOn = async (): Promise<boolean> => {
      const next = await offered(page);
      return next.chooser || next.targets.length > 0 || next.done;
    };
    await expect.poll(async () => (await arrived()) || (await goesOn()), { timeout: 20_000, interval: 30 }).toBe(true);
    if (await arrived()) return;
  }
  throw new Error("a move of more than eight steps");
}

/** Plays a turn, of several moves where the game has such, and waits for the answer. */
async function playTurn(page: Page, pointer: Pointer, side: string): Promise<void> {
  await page.locator(".text-board p").first().waitFor({ state: "attached" });
  await expect.poll(() => isTurnOf(page, side), { timeout: 20_000, interval: 30 }).toBe(true);
  const before = await plies(page);
  do await makeMove(page, pointer);
  while (await isTurnOf(page, side) && (await plies(page)) < before + 4);
  const made = await plies(page);
  await expect.poll(async () => (await plies(page)) > made || (await isTurnOf(page, side)), { timeout: 20_000, interval: 50 }).toBe(true);
}

/** Shows a game in a page that is open already, as a link of the page would. */
async function visit(page: Page, path: string): Promise<void> {
  if (!page.url().startsWith("http")) await page.goto(path);
  else {
    await page.evaluate((to) => {
      history.pushState(null, "", to);
      dispatchEvent(new PopStateEvent("popstate"));
    }, path);
  }
}

test("a move by mouse and one by touch in every game", { timeout: 280_000 }, async () => {
  const desk = await site.visitor("desktop");
  const phone = await site.visitor("phone");
  await desk.signUp("Everything");
  await phone.context.addCookies(await desk.context.cookies());
  const list = (await (await desk.context.request.get("/api/variants")).json()) as { key: string }[];
  expect(list.length).toBeGreaterThan(5);
  const failed: string[] = [];
  for (const { key } of list) {
    try {
      const { sides } = (await (await desk.context.request.get(`/api/variants/${key}`)).json()) as Game;
      const side = sides[0]?.name ?? "";
      const asked = await desk.context.request.post("/api/challenge/ai", {
        data: { variant: key, level: 1, color: "white" }, headers: { Origin: site.server.url },
      });
      expect(asked.status(), await asked.text()).toBe(201);
      const { id } = (await asked.json()) as { id: string };
      await visit(desk.page, `/${id}`);
      await playTurn(desk.page, mouse(desk.page), side);
      await visit(phone.page, `/${id}`);
      await playTurn(phone.page, finger(phone.page), side);
      // What was played on one device is seen on the other.
      await expect.poll(async () => (await moves(desk.page)).join() === (await moves(phone.page)).join(), { timeout: 10_000 }).toBe(true);
    } catch (error) {
      failed.push(`${key}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  expect(failed).toEqual([]);
});
