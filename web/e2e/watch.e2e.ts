// Games by days with conditional moves, muting, zen, and the games that are on TV.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { click, expectMoves } from "./board";
import { begin } from "./meet";
import { Site } from "./site";

let site: Site;
beforeAll(async () => void (site = await Site.open()));
afterEach(() => site.leave());
afterAll(() => site?.close());

test("what a player has foreseen is played at once", async () => {
  const [{ page: white }, { page: black }] = await begin(site, ["Darius", "Dienekes"], { days: 3, variant: "standard" });
  await click(white, "e2", "e4");
  await white.getByRole("button", { name: "Send the move" }).click(); // as is usual in games by days
  await expectMoves(white, "e4");
  await white.getByRole("button", { name: "Add a line" }).click();
  const plan = white.getByRole("region", { name: "Conditional moves" });
  const keep = white.getByRole("button", { name: "Keep the line" });
  await plan.getByText(/^Play the opponent's move/).waitFor(); // the rules core is there
  await click(white, "e7", "e5");
  await plan.getByText("e5", { exact: true }).waitFor();
  expect(await keep.isDisabled()).toBe(true); // a line ends with one's own move
  await click(white, "g1", "f3");
  await plan.getByText("e5 Nf3", { exact: true }).waitFor();
  await keep.click();
  await white.getByRole("button", { name: "Remove e5 Nf3" }).waitFor();
  await expectMoves(white, "e4"); // the board shows the game again
  await expectMoves(black, "e4");
  expect(await black.getByText("Nf3").count()).toBe(0);

  await click(black, "e7", "e5");
  await black.getByRole("button", { name: "Send the move" }).click();
  await expectMoves(black, "e4", "e5", "Nf3");
  await expectMoves(white, "e4", "e5", "Nf3");
});

test("a muted opponent is not read, and zen leaves the board", async () => {
  const [{ page: white }, { page: black }] = await begin(site, ["Atossa", "Gorgo"], { "clock.limit": 600, "clock.increment": 0 });
  await white.getByRole("button", { name: "Mute" }).click();
  await white.getByText("You have turned the chat off.").waitFor();
  await black.getByRole("textbox", { name: "Message" }).fill("hello there");
  await black.getByRole("button", { name: "Send" }).click();
  await black.getByRole("log").getByText("hello there").waitFor();
  await click(white, "e2", "e4");
  await expectMoves(black, "e4");
  expect(await white.getByText("hello there").count()).toBe(0);
  await white.getByRole("button", { name: "Mute" }).click();
  await white.getByRole("log").getByText("hello there").waitFor();

  await white.getByRole("heading", { level: 1 }).click(); // the key is for the page
  await white.keyboard.press("z");
  await white.getByRole("navigation", { name: "Main" }).waitFor({ state: "hidden" });
  await white.getByRole("log").waitFor({ state: "hidden" });
  await white.keyboard.press("z");
  await white.getByRole("navigation", { name: "Main" }).waitFor();
});

test("TV shows the game of a channel and follows it", async () => {
  const [{ page: white }, , id] = await begin(site, ["Xanthippe", "Megistias"], { "clock.limit": 600, "clock.increment": 0, variant: "spartan" });
  const viewer = await site.visitor();
  await viewer.page.goto("/tv/spartan");
  await viewer.page.getByRole("heading", { name: "TV" }).waitFor();
  await click(white, "e2", "e4");
  await viewer.page.getByRole("link", { name: /^Spartan/ }).waitFor();
  await viewer.page.getByRole("group", { name: /board/ }).waitFor();
  await viewer.page.locator("[data-cell=e4]").first().waitFor();
  expect(await viewer.faults()).toEqual([]);
  await viewer.page.getByRole("link", { name: "watch with moves and chat" }).click();
  await viewer.page.waitForURL(new RegExp(`/${id}`));
  await expectMoves(viewer.page, "e4");
});
