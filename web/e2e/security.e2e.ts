// Looking after accounts: the administrator's page, the second factor, new passwords, reports, and leaving.
import { createHmac } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { Site } from "./site";

let site: Site;
beforeAll(async () => void (site = await Site.open()));
afterEach(() => site.leave());
afterAll(() => site.close());

/** The code that a program shows for a secret (RFC 6238), so many half minutes from now. */
function code(secret: string, ahead = 0): string {
  const bits = [...secret].map((c) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(c).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + ahead));
  const sum = createHmac("sha1", key).update(counter).digest();
  const at = (sum[19] ?? 0) & 15;
  return ((sum.readUInt32BE(at) & 0x7fffffff) % 1_000_000).toString().padStart(6, "0");
}

test("an administrator deals with a report, invites, and bans", async () => {
  const [boss, ann] = [await site.visitor(), await site.visitor("phone")];
  await ann.signUp("Complainer");
  await (await site.visitor()).signUp("Rude");
  await ann.page.goto("/@/Rude");
  await ann.page.getByText("Report Rude").first().click();
  await ann.page.getByLabel("Why").selectOption("chat");
  await ann.page.getByLabel("What an administrator should know").fill("Rude in every game.");
  await ann.page.getByRole("button", { name: "Report Rude" }).click();
  await ann.page.getByText("An administrator will look at it.").waitFor();
  await ann.page.goto("/admin");
  await ann.page.getByText("This page is for administrators.").waitFor();

  await boss.signUp("Boss");
  await site.server.command("user", "role", "Boss", "admin");
  const page = boss.page;
  // The server notices within seconds what was done beside it.
  await expect.poll(async () => (await (await boss.context.request.get("/api/account")).json() as { role?: string }).role, { timeout: 20_000 }).toBe("admin");
  await page.goto("/admin");
  const reports = page.getByRole("region", { name: "Reports" });
  await reports.getByText("Rude in every game.").waitFor();
  await reports.getByLabel("What was done").fill("Banned.");
  await reports.getByRole("button", { name: "Dealt with" }).click();
  await reports.getByText("There are none.").waitFor();

  const accounts = page.getByRole("region", { name: "Accounts", exact: true });
  await accounts.getByLabel(/Part of the name/).fill("rude");
  await accounts.getByRole("button", { name: "Find" }).click();
  await accounts.getByRole("button", { name: "Look at Rude" }).click();
  await accounts.getByRole("button", { name: "Ban…" }).click();
  await accounts.getByRole("button", { name: "Ban Rude now" }).click();
  await accounts.getByText("Rude: banned.").waitFor();

  const invites = page.getByRole("region", { name: "Invitations" });
  await invites.getByLabel("Whom it is for").fill("a friend");
  await invites.getByRole("button", { name: "Invite" }).click();
  await invites.getByText(/signup\?invite=/).waitFor();
  await invites.getByRole("button", { name: "Revoke the invitation a friend" }).click();
  await invites.getByText("a friend").waitFor({ state: "detached" });

  const log = page.getByRole("region", { name: "Audit log" });
  await log.getByRole("button", { name: "Show" }).click();
  await log.getByRole("list", { name: "Audit log" }).getByText("Account banned").first().waitFor();
  expect(await boss.faults()).toEqual([]);
});

test("a second factor is turned on, asked for, and replaced by a recovery code", async () => {
  const visitor = await site.visitor();
  const { page } = visitor;
  await visitor.signUp("Careful");
  await page.goto("/account");
  const part = page.getByRole("region", { name: "Second factor" });
  await part.getByText("Turn it on").click();
  await part.getByLabel("Your password").fill("Careful has a password");
  await part.getByRole("button", { name: "Go on" }).click();
  await part.getByRole("img", { name: "QR code of the secret" }).waitFor();
  const secret = (await part.getByText("Secret:").locator("code").textContent()) ?? "";
  await part.getByLabel("The code that it shows").fill(code(secret));
  await part.getByRole("button", { name: "Turn on" }).click();
  const recovery = (await part.getByRole("list", { name: "Recovery codes" }).locator("li").first().textContent()) ?? "";
  expect(await visitor.faults()).toEqual([]);

  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.getByRole("banner").getByRole("link", { name: "Sign in" }).waitFor(); // the session has ended
  await page.goto("/login");
  await page.getByLabel("User name").fill("Careful");
  // Password managers and pasting work: the field says what it is for and takes what it gets.
  expect(await page.getByLabel("Password").getAttribute("autocomplete")).toBe("current-password");
  await page.getByLabel("Password").fill("Careful has a password");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByLabel("Code of the second factor").fill(code(secret, 1));
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("link", { name: "Careful" }).waitFor();

  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.getByRole("banner").getByRole("link", { name: "Sign in" }).waitFor(); // the session has ended
  await page.goto("/login?next=/account");
  await page.getByLabel("User name").fill("Careful");
  await page.getByLabel("Password").fill("Careful has a password");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByLabel("Code of the second factor").fill(recovery);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByText("9 recovery codes are left.").waitFor();
  await page.getByRole("list", { name: "Security events" }).getByText("Recovery code used").waitFor();
  // The browser reports the refusals that asked for the code.
  visitor.complaints.splice(0, visitor.complaints.length, ...visitor.complaints.filter((text) => !/status of 401.*api\/login/.test(text)));
});

test("who comes from the other provider is asked for the second factor alone", async () => {
  const { page, complaints } = await site.visitor();
  await page.goto("/login?factor=oidc");
  await page.getByLabel("Code of the second factor").fill("123456");
  expect(await page.getByLabel("User name").count()).toBe(0);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("alert").getByText("no other provider").waitFor(); // this server knows none
  complaints.splice(0); // the refusal
  await page.getByRole("button", { name: "Sign in in another way" }).click();
  await page.getByLabel("User name").waitFor();
});

test("an administrator's link sets a new password", async () => {
  const visitor = await site.visitor("phone");
  await visitor.signUp("Forgetful");
  const { page } = visitor;
  await page.context().clearCookies();
  await page.goto("/login");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await page.getByText("This server sends no mail.").waitFor();
  const link = new URL((await site.server.command("user", "reset-link", "Forgetful")).trim());
  await page.goto("/");
  await page.goto(link.pathname + link.hash);
  await page.getByLabel("New password").fill("a whole new password");
  await page.getByRole("button", { name: "Set the password" }).click();
  await page.getByText("Your password is set.").waitFor();
  await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
  await page.getByLabel("User name").fill("Forgetful");
  await page.getByLabel("Password").fill("a whole new password");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("link", { name: "Forgetful" }).waitFor();
});

test("somebody exports everything, leaves, and comes back", async () => {
  const visitor = await site.visitor();
  const { page } = visitor;
  await visitor.signUp("Leaver");
  await page.goto("/account");
  const part = page.getByRole("region", { name: "Your data, and leaving" });
  const [file] = await Promise.all([page.waitForEvent("download"), part.getByRole("link", { name: "Export everything" }).click()]);
  expect(file.suggestedFilename()).toMatch(/^hoplite-leaver-.*\.zip$/);
  await part.getByText("Close the account").click();
  await part.getByLabel("Your password").fill("Leaver has a password");
  await part.getByRole("button", { name: "Close my account" }).click();
  await page.getByRole("link", { name: "Sign in" }).first().waitFor();
  await page.goto("/login");
  await page.getByLabel("User name").fill("Leaver");
  await page.getByLabel("Password").fill("Leaver has a password");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByText("You have closed this account.").waitFor();
  await page.getByRole("button", { name: "Open the account again" }).click();
  await page.getByRole("link", { name: "Leaver" }).waitFor();
  visitor.complaints.splice(0, visitor.complaints.length, ...visitor.complaints.filter((text) => !/status of 403.*api\/login/.test(text)));
});
