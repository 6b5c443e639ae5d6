// One picture with the boards of all games, to be looked at: at the size of a desk, as on a phone, and with the men as
// where their game comes from. Run by `npm run contact-sheet`; the pictures are written to web/e2e/out.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Site, sizes, type Size } from "./site";

const folder = join(import.meta.dirname, "out");

let site: Site;
beforeAll(async () => {
  site = await Site.open();
  await mkdir(folder, { recursive: true });
});
afterAll(() => site?.close());

interface Shot {
  readonly name: string;
  readonly png: Buffer;
}

async function shots(size: Size, native: boolean): Promise<Shot[]> {
  const { page, context } = await site.visitor(size);
  await context.addInitScript((set) => localStorage.setItem("hoplite.preferences", JSON.stringify({ pieceSet: set })), native ? "native" : "hoplite");
  const list = (await (await context.request.get("/api/variants")).json()) as { key: string; name: string }[];
  const taken: Shot[] = [];
  for (const { key, name } of list) {
    const { look } = (await (await context.request.get(`/api/variants/${key}`)).json()) as { look?: { native?: string } };
    if (native && !look?.native) continue;
    if (size === "phone") {
      await page.goto(`/play/${key}`);
      await page.getByRole("group", { name: /at the bottom$/ }).waitFor();
      taken.push({ name, png: await page.screenshot() });
    } else {
      await page.goto(`/variant/${key}`);
      const board = page.getByRole("group", { name: /^Start position/ });
      await board.waitFor();
      taken.push({ name, png: await board.screenshot() });
    }
  }
  await context.close();
  return taken;
}

/** Sets the pictures out under their names and takes one of all. */
async function sheet(page: Page, file: string, taken: readonly Shot[], width: number): Promise<void> {
  const figures = taken.map(({ name, png }) => `<figure><img width="${width}" src="data:image/png;base64,${png.toString("base64")}"><figcaption>${name}</figcaption></figure>`);
  await page.setContent(`<style>
    body { display: flex; flex-wrap: wrap; gap: 16px; margin: 16px; align-items: end; align-content: start; font: 15px sans-serif; background: #ddd }
    figure { margin: 0 } figcaption { text-align: center }
  </style>${figures.join("")}`);
  await writeFile(join(folder, file), await page.screenshot({ fullPage: true }));
}

test("the boards of all games", { timeout: 300_000 }, async () => {
  const page = await site.browser.newPage({ viewport: { width: 1680, height: 900 } });
  for (const [file, size, native, width] of [
    ["contact-sheet.png", "desktop", false, 300], ["contact-sheet-native.png", "desktop", true, 380], ["contact-sheet-phone.png", "phone", false, sizes.phone.viewport.width * 0.75],
  ] as const) {
    const taken = await shots(size, native);
    expect(taken.length).toBeGreaterThan(2);
    await sheet(page, file, taken, width);
  }
});
