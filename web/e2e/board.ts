// The hand of a player at a board of the page.
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

/** The cell of the board that is played on. */
export function cell(page: Page, name: string): Locator {
  return page.locator(`svg [data-cell="${name}"]`).first();
}

export async function click(page: Page, ...cells: readonly string[]): Promise<void> {
  for (const name of cells) await cell(page, name).click();
}

export async function tap(page: Page, ...cells: readonly string[]): Promise<void> {
  for (const name of cells) await cell(page, name).tap();
}

/** Clicks on the men of a board that is turned, or no board of squares. */
export async function clickCells(page: Page, ...cells: readonly string[]): Promise<void> {
  for (const name of cells) await clickCell(page, name);
}

/** A point of the screen within a cell, whatever its outline. */
async function within(page: Page, name: string): Promise<{ x: number; y: number }> {
  const target = cell(page, name);
  await target.scrollIntoViewIfNeeded();
  return target.evaluate((element) => {
    const shape = element as unknown as SVGGeometryElement;
    const matrix = shape.getScreenCTM();
    const box = shape.getBBox();
    const steps = [0, -1, 1, -2, 2, -3, 3].map((step) => 0.5 + step / 8);
    for (const dx of steps) {
      for (const dy of steps) {
        const inside = new DOMPoint(box.x + dx * box.width, box.y + dy * box.height);
        if (matrix && shape.isPointInFill(inside)) {
          const { x, y } = inside.matrixTransform(matrix);
          return { x, y };
        }
      }
    }
    throw new Error("a cell without inside");
  });
}

export async function clickCell(page: Page, name: string): Promise<void> {
  const { x, y } = await within(page, name);
  await page.mouse.click(x, y);
}

export async function tapCell(page: Page, name: string): Promise<void> {
  const { x, y } = await within(page, name);
  await page.touchscreen.tap(x, y);
}

export async function drag(page: Page, from: string, to: string): Promise<void> {
  const [start, end] = [await middle(page, from), await middle(page, to)];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 4 });
  await page.mouse.move(end.x, end.y, { steps: 4 });
  await page.mouse.up();
}

async function middle(page: Page, name: string): Promise<{ x: number; y: number }> {
  await cell(page, name).scrollIntoViewIfNeeded();
  const box = await cell(page, name).boundingBox();
  if (!box) throw new Error(`no cell ${name}`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Waits until the list of moves reads so. */
export async function expectMoves(page: Page, ...sans: readonly string[]): Promise<void> {
  await expect.poll(() => moves(page), { timeout: 30_000 }).toEqual(sans);
}

export function moves(page: Page): Promise<string[]> {
  return page.getByRole("list", { name: "Moves" }).getByRole("button").allTextContents();
}

/** What stands on a cell, as the board tells it to screen readers. */
export async function expectAt(page: Page, name: string, man: RegExp): Promise<void> {
  await expect.poll(() => cell(page, name).getAttribute("aria-label"), { timeout: 30_000 }).toMatch(man);
}
