// Every action of the console is in the palette, and begins where it leads: its form is open, or its first field has
// the focus.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { type BrowserTest, historyTest, memberTest } from "./browser-test.fixture.ts";
import { accept, joinOrganization } from "./join-organization.fixture.ts";
import { memberRoutes, type Route } from "./routes.fixture.ts";

/** What begins something, on whatever page. */
const begins =
  /^(?:add|archive|change|company|continue|create|delete|download|export|invite|leave|link|make|new|require|save|send(?= )|set|sign out|start|turn)\b/i;

/** What says it only with its page is called more in the palette. */
const called: Readonly<Record<string, string>> = {
  "/wallet Company details": "Change company details",
  "/wallet Download CSV": "Download transactions",
  "/wallet Download PDF": "Download statement",
  "/wallet Continue to payment": "Add funds",
  "/settings/profile Save changes": "Change name and time zone",
  "/settings/profile Send confirmation link": "Change email address",
  "/settings/members Send invitation": "Invite a member",
  "/wallet Set alert": "Set low-balance alert",
  "/settings/guardrails Set rules": "Set guardrail of the account",
  "/settings/notifications Save": "Set low-balance alert",
  "/settings/audit-log Download CSV": "Download audit log",
  "/settings/organization Save changes": "Change name and address of the organization",
  "/settings/organization Save limits": "Set rate limits of the organization",
  "/settings/security Link Acme": "Link a sign-in provider",
  "/usage Export": "Export usage",
};

const search = (page: Page) => page.getByRole("combobox", { name: "Search or jump to…" });
const organizationRoute = { name: "settings-organization", path: "/settings/organization" };

/** Of the pages themselves, not of their rows and charts. */
async function readButtons(page: Page): Promise<readonly string[]> {
  const names = await page
    .locator("main :is(button, a[role=button], a[href*='do=']):not(table *, [role=group] *)")
    .evaluateAll((all) =>
      all
        .filter((element) => element.checkVisibility())
        .map((element) => (element.getAttribute("aria-label") ?? element.textContent ?? "").trim()),
    );
  return [...new Set(names)].filter((name) => begins.test(name));
}

async function expectListed(
  { page, visit, follow }: BrowserTest,
  routes: readonly Route[],
  base = "",
): Promise<readonly string[]> {
  const seen: { path: string; name: string }[] = [];
  for (const [at, { path }] of routes.entries()) {
    await (at === 0 ? visit : follow)(base + (path === "/" && base !== "" ? "" : path));
    for (const name of await readButtons(page)) seen.push({ path, name });
  }
  await page.keyboard.press("Control+k");
  const missing: string[] = [];
  for (const { path, name } of seen) {
    const wanted = called[`${path.split("?")[0]} ${name}`] ?? name;
    await search(page).fill(wanted);
    const found = await page.getByRole("option").allTextContents();
    const isFound = found.some((text) => text.toLowerCase().startsWith(wanted.toLowerCase()));
    if (!isFound) missing.push(`${path} ${name}`);
  }
  expect(missing).toEqual([]);
  return seen.map(({ name }) => name);
}

historyTest("CMD-3 every button of a page that begins something is in the palette", async (one) => {
  const seen = await expectListed(one, memberRoutes());
  expect(seen).toEqual(expect.arrayContaining(["Create API Key", "Set budget", "Add passkey"]));
});

memberTest("CMD-3 the buttons of an organization's pages are in the palette too", async (one) => {
  const { base } = await joinOrganization(one, "viewer");
  const routes = [...memberRoutes(), organizationRoute];
  const seen = await expectListed(one, routes, base);
  expect(seen).toEqual(expect.arrayContaining(["Add domain", "Send invitation"]));
});

/** What the palette itself does, beside what pages begin. */
const ofPalette =
  /^(?:Switch to the (?:dark|light) theme|Create organization|Keyboard shortcuts|Sign out)$/;

/** What the palette begins on pages. */
async function readActions({ page, visit }: BrowserTest, base: string): Promise<readonly string[]> {
  await visit(base);
  await page.keyboard.press("Control+k");
  await search(page).waitFor();
  const titles = await page.getByRole("listbox").evaluate((list) => {
    let group = "";
    return [...list.children].flatMap((child) => {
      if (child.role === "presentation") group = child.textContent ?? "";
      const title = child.querySelector(".truncate")?.textContent;
      return child.role === "option" && group === "Actions" && title ? [title] : [];
    });
  });
  return titles.filter((title) => !ofPalette.test(title));
}

/** Those that begin nothing: no dialog opens, and nothing of their page takes the focus. */
async function readDeaf(
  { page, visit, follow }: BrowserTest,
  actions: readonly string[],
  base: string,
): Promise<readonly string[]> {
  const deaf: string[] = [];
  await visit(base);
  for (const title of actions) {
    await follow(base);
    await page.keyboard.press("Control+k");
    await search(page).fill(title);
    await page.getByRole("option", { name: title }).first().click();
    await page.waitForURL((url) => url.pathname !== base);
    await search(page).waitFor({ state: "detached" });
    const begun = page.waitForFunction(
      () => {
        const { activeElement } = document;
        // Ten minutes after the sign-in, a second dialog may ask for the password again.
        if (activeElement?.closest("[role=dialog], [role=alertdialog]")) return true;
        const isInside = activeElement?.closest("main > *") && activeElement.tagName !== "H1";
        return isInside && !location.search.includes("do=");
      },
      undefined,
      { timeout: 20_000 },
    );
    await begun.catch(() => deaf.push(title));
  }
  return deaf;
}

historyTest("what is begun on the open page leaves its view as it is", async ({ page, visit }) => {
  await visit("/usage?range=30d&group=key");
  await page.keyboard.press("Control+k");
  await search(page).fill("Export usage");
  await page.getByRole("option", { name: "Export usage" }).first().click();
  await page.waitForURL((url) => !url.search.includes("do="));
  await page.locator("main button:focus").waitFor();
  expect(new URL(page.url()).search).toBe("?range=30d&group=key");
});

historyTest("CMD-4 each action of a personal account begins where it leads", async (one) => {
  const actions = await readActions(one, "/");
  expect(actions.length).toBeGreaterThan(20);
  expect(await readDeaf(one, actions, "/")).toEqual([]);
});

memberTest("CMD-4 each action of an organization begins where it leads", async (one) => {
  const { base } = await joinOrganization(one, "viewer");
  const personal = await readActions(one, "/");
  const all = await readActions(one, base);
  const actions = all.filter((title) => !personal.includes(title));
  expect(actions.length).toBeGreaterThan(5);
  expect(await readDeaf(one, actions, base)).toEqual([]);
});

memberTest(
  "CMD-5 a member is found by email, and their role is changed from there",
  async (one) => {
    const organization = await joinOrganization(one, "viewer");
    const { page, goTo } = one;
    const { email } = organization.colleague;
    await accept(one, organization, async (opened) => {
      await opened.page.keyboard.press("Control+k");
      await search(opened.page).fill(email);
      await opened.page.getByRole("option", { name: email }).waitFor();
      expect(await opened.page.getByRole("option", { name: "Change role" }).count()).toBe(0);
    });
    await goTo(organization.base);
    await page.keyboard.press("Control+k");
    await search(page).fill(email);
    await page.getByRole("option", { name: "Change role" }).click();
    const dialog = page.getByRole("dialog", { name: `Change the role of ${email}` });
    await dialog.getByRole("radio", { name: /Developer/ }).press("Space");
    await dialog.getByRole("button", { name: "Change role" }).click();
    await page.getByText(`${email} is now developer.`).first().waitFor();
  },
);
