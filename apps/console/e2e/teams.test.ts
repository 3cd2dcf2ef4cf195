// Organizations in a browser: created from the switcher, joined by a mailed link, and left behind. The address
// names the account, and the page shows what the role allows.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import {
  type BrowserTest,
  inBrowser,
  type MemberTest,
  memberTest,
  signInBrowser,
} from "./browser-test.fixture.ts";
import { joinAs, linkIn, type Member, newEmail } from "./member.fixture.ts";
import { readTable } from "./read-page.fixture.ts";

let organizations = 0;

memberTest("a quick press on the switcher opens it and chooses nothing", async (one) => {
  const { page, visit } = one;
  await one.member.mutate("accounts.create", { name: "Quick" });
  await visit("/");
  const switcher = page.getByRole("button", { name: /^Account: / });
  const box = await switcher.boundingBox();
  if (box === null) throw new Error("The switcher is not shown.");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  // The press ends before the menu is placed, while it is drawn at the corner of the page.
  await page.evaluate(
    ([atX, atY]) => {
      const init = { bubbles: true, pointerType: "mouse", button: 0, pointerId: 1 };
      const observer = new MutationObserver(() => {
        const item = document.elementFromPoint(atX, atY)?.closest("[role=menuitem]");
        if (!item) return;
        observer.disconnect();
        item.dispatchEvent(new PointerEvent("pointerup", init));
        Object.assign(window, { hasEnded: true });
      });
      observer.observe(document.body, { childList: true, subtree: true, attributes: true });
    },
    [x, y] as const,
  );
  await page.mouse.move(x, y);
  await page.mouse.down();
  // Still open, the menu goes on by keyboard.
  await page.getByRole("menuitem", { name: "Create organization" }).waitFor();
  await page.keyboard.press("End");
  await page.waitForFunction(() => {
    const { activeElement } = document;
    return (
      activeElement?.role === "menuitem" && activeElement.textContent === "Create organization"
    );
  });
  expect(await page.evaluate(() => "hasEnded" in window)).toBe(true);
  expect(await page.getByRole("dialog").count()).toBe(0);
});

/** By way of the switcher; returns the name and the path of its pages. */
async function createOrganization({ page, goTo }: BrowserTest) {
  organizations += 1;
  const name = `Acme ${organizations}`;
  await goTo("/");
  await page.getByRole("button", { name: /^Account: / }).click();
  await page.getByRole("menuitem", { name: "Create organization" }).click();
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("button", { name: "Create organization" }).click();
  const base = `/a/acme-${organizations}`;
  await page.waitForURL(`**${base}`);
  await page.getByRole("button", { name: new RegExp(`^Account: ${name}`) }).waitFor();
  return { name, base };
}

/** Sends the invitation in the browser and returns its link. */
async function invite(
  { page, goTo, environment }: BrowserTest,
  base: string,
  { email, role }: { email: string; role: string },
): Promise<string> {
  await goTo(`${base}/settings/members`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Role").selectOption({ label: role });
  await page.getByRole("button", { name: "Send invitation" }).click();
  await page.getByText(`Invitation sent to ${email}.`).first().waitFor();
  const mail = await environment.mails.waitFor(email, (one) => /invited you/.test(one.subject));
  return linkIn(mail.text);
}

/** A second person in a browser of their own. */
function asPerson(
  { environment }: BrowserTest,
  member: Member,
  run: (opened: BrowserTest) => Promise<void>,
): Promise<void> {
  return inBrowser(environment, "second person", undefined, async (opened) => {
    await signInBrowser(opened, member);
    await run(opened);
  });
}

const navigation = (page: Page) => page.getByRole("navigation", { name: "Main" });

memberTest(
  "TEAM-1, TEA-1 a second person joins by the mailed link, sees what the role allows, and is removed",
  async (one: MemberTest) => {
    const { name, base } = await createOrganization(one);
    const ada = await joinAs(one.environment);
    const link = await invite(one, base, { email: ada.email, role: "Developer" });
    await asPerson(one, ada, async ({ page }) => {
      await page.goto(link);
      await page
        .getByText(`${one.member.email} invites you to join ${name} as developer.`)
        .waitFor();
      await page.getByRole("button", { name: `Join ${name}` }).click();
      await page.waitForURL(`**${base}`);
      await navigation(page).getByRole("link", { name: "API Keys" }).waitFor();
      // All pages are listed until the role is known.
      await navigation(page).getByRole("link", { name: "Wallet" }).waitFor({ state: "detached" });
      await page.goto(`${one.environment.url}${base}/wallet`);
      await page.getByText(`Your role in ${name} does not include this page.`).waitFor();
      await navigation(page).getByRole("link", { name: "API Keys" }).click();
      await page.waitForURL(`**${base}/keys`);
      await page.getByText("No keys yet.").waitFor();

      await one.goTo(`${base}/settings/members`);
      const members = one.page.getByRole("table", { name: "Members" });
      await members.getByText(ada.email).waitFor();
      expect((await readTable(members)).map((row) => row.Role)).toEqual(["Owner", "Developer"]);
      await one.page.getByRole("button", { name: `Actions for ${ada.email}` }).click();
      await one.page.getByRole("menuitem", { name: "Remove" }).click();
      await one.page.getByRole("button", { name: "Remove" }).click();
      await one.page.getByText(`${ada.email} was removed.`).first().waitFor();

      await page.reload();
      await page
        .getByText("There is no account at this address, or you are not a member of it.")
        .waitFor();
      await page.getByRole("link", { name: "Personal account" }).click();
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      expect(new URL(page.url()).pathname).toBe("/");
    });
    await one.goTo(`${base}/settings/audit-log`);
    const log = one.page.getByRole("table", { name: /What was done/ });
    await log.getByText("member.remove").waitFor();
    expect((await readTable(log)).map((row) => row.Action)).toEqual([
      "member.remove",
      "member.join",
      "invitation.create",
      "account.create",
    ]);
  },
);

memberTest(
  "TEAM-2 with another address than the invited one, a member has to confirm who joins",
  async (one) => {
    const { name, base } = await createOrganization(one);
    const ada = await joinAs(one.environment);
    const link = await invite(one, base, { email: newEmail(), role: "Viewer" });
    await asPerson(one, ada, async ({ page }) => {
      await page.goto(link);
      await page.getByRole("button", { name: `Ask to join as ${ada.email}` }).click();
      await page.getByText(`We told ${one.member.email}.`).waitFor();
    });
    await one.goTo(`${base}/settings/members`);
    await one.page.getByRole("button", { name: `Let ${ada.email} join` }).click();
    await one.page.getByText(`${ada.email} joined.`).first().waitFor();
    await asPerson(one, ada, async ({ page, goTo }) => {
      await goTo(`${base}/keys`);
      await page.getByRole("heading", { name: "API Keys" }).waitFor();
      await page.getByRole("button", { name: new RegExp(`^Account: ${name}`) }).waitFor();
      // A viewer changes nothing.
      await page.getByText("No keys yet.").waitFor();
      expect(await page.getByRole("button", { name: "Create API Key" }).count()).toBe(0);
    });
  },
);

memberTest("TEAM-3 a signed-out person signs in by the invitation and is a member", async (one) => {
  const { base } = await createOrganization(one);
  const ada = await joinAs(one.environment);
  const link = await invite(one, base, { email: ada.email, role: "Admin" });
  await inBrowser(one.environment, "signed out", undefined, async ({ page }) => {
    await page.goto(link);
    await page.getByRole("button", { name: "Sign in to join" }).click();
    await page.getByLabel("Password", { exact: true }).waitFor();
    expect(await page.getByLabel("Email").inputValue()).toBe(ada.email);
    await page.getByLabel("Password", { exact: true }).fill("correct horse battery staple");
    await page.getByRole("button", { name: "Sign in" }).click();
    // They pressed the button to join before they signed in: nothing more is asked.
    await page.waitForURL(`**${base}`);
    await page.goto(link);
    await page.getByText("This invitation has expired, was revoked, or has already").waitFor();
  });
});

memberTest("TEAM-4 the address names the account, also after it was renamed", async (one) => {
  const { page, goTo } = one;
  const { base } = await createOrganization(one);
  await goTo(`${base}/settings/organization`);
  await page.getByRole("textbox", { name: "Address" }).fill(`renamed-${organizations}`);
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.waitForURL(`**/a/renamed-${organizations}/settings/organization`);
  await goTo(`${base}/usage?range=7d`);
  await page.waitForURL(`**/a/renamed-${organizations}/usage?range=7d`);
  // A path without an account leads to the one that was used last, until another one is chosen.
  for (const path of ["", "/keys", "/wallet", "/models", "/usage?range=7d"]) {
    await goTo(path || "/");
    await page.waitForURL(`**/a/renamed-${organizations}${path}`);
  }
  await page.getByRole("button", { name: /^Account: / }).click();
  await page.getByRole("menuitem", { name: "Personal account" }).click();
  await page.waitForURL(`${one.environment.url}/`);
  for (const path of ["/", "/keys"]) {
    await goTo(path);
    await page.getByRole("button", { name: /^Account: Personal account/ }).waitFor();
    expect(new URL(page.url()).pathname).toBe(path);
  }
});

memberTest("TEAM-5 ownership passes when the other side accepts it", async (one) => {
  const { name, base } = await createOrganization(one);
  const ada = await joinAs(one.environment);
  const link = await invite(one, base, { email: ada.email, role: "Admin" });
  await asPerson(one, ada, async ({ page, goTo }) => {
    await page.goto(link);
    await page.getByRole("button", { name: `Join ${name}` }).click();
    await page.waitForURL(`**${base}`);
    await one.goTo(`${base}/settings/members`);
    await one.page.getByRole("button", { name: `Actions for ${ada.email}` }).click();
    await one.page.getByRole("menuitem", { name: "Offer ownership" }).click();
    await one.page.getByRole("button", { name: "Offer ownership" }).click();
    await one.page.getByText(`${ada.email} was offered the ownership.`).first().waitFor();
    await goTo(`${base}/settings/members`);
    await page.getByText(`You were offered the ownership of ${name}.`).waitFor();
    await page.getByRole("button", { name: "Accept" }).click();
    await page.getByText("You were offered").waitFor({ state: "detached" });
    const members = await readTable(page.getByRole("table", { name: "Members" }));
    expect(members.map((row) => row.Role)).toEqual(["Owner", "Owner"]);
  });
  await one.goTo(`${base}/settings/organization`);
  await one.page.getByRole("button", { name: "Leave organization" }).click();
  await one.page
    .getByRole("alertdialog")
    .getByRole("button", { name: "Leave organization" })
    .click();
  await one.page.waitForURL(`${one.environment.url}/`);
  await one.page.getByRole("heading", { name: "Overview" }).waitFor();
});

memberTest("TEAM-6 an organization is deleted by typing its name", async (one) => {
  const { page, goTo } = one;
  const { name, base } = await createOrganization(one);
  await goTo(`${base}/settings/organization`);
  await page.getByRole("button", { name: "Delete organization" }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByLabel("Type the name of the organization").fill(name);
  await dialog.getByRole("button", { name: "Delete organization" }).click();
  await page.waitForURL(`${one.environment.url}/`);
  await goTo(base);
  await page.getByText("There is no account at this address").waitFor();
});
