// The shell around every page: palette, navigation, history, and error states.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { breakCalls, holdCalls, identity, type Trouble } from "./break-calls.fixture.ts";
import { browserTest, historyTest, memberTest } from "./browser-test.fixture.ts";
import { password } from "./member.fixture.ts";
import { memberRoutes } from "./routes.fixture.ts";
import { tryAgain } from "./try-again.fixture.ts";
import { waitForAnimations } from "./wait-for-animations.fixture.ts";

/** Waits until the page's heading has this text and the focus. */
function waitForFocusedHeading(page: Page, title: string) {
  return page.waitForFunction((wanted) => {
    const { activeElement } = document;
    return activeElement?.tagName === "H1" && activeElement.textContent === wanted;
  }, title);
}

/**
 * Waits until the page's heading has this text and has given or taken the focus. Before that Chromium
 * drops keys, between the end of the palette and the first frame of the new page.
 */
function waitForArrival(page: Page, title: string) {
  return page.waitForFunction((wanted) => {
    const { activeElement } = document;
    const arrived = activeElement?.tagName === "H1" || activeElement?.closest("main");
    return arrived && document.querySelector("h1")?.textContent === wanted;
  }, title);
}

memberTest("CMD-1 Ctrl+K, three letters and Enter lead to the Wallet", async (one) => {
  const { page, goTo, environment } = one;
  await goTo("/keys");
  await page.getByText("No keys yet.").waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search or jump to…" }).waitFor();
  await page.keyboard.type("wal");
  await page.getByRole("option", { name: "Wallet" }).first().waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(`${environment.url}/wallet`);
  await waitForFocusedHeading(page, "Wallet");
});

historyTest("the field of the palette stays where it is while results change", async (one) => {
  const { page, visit } = one;
  // It moves while the dialog opens.
  await page.emulateMedia({ reducedMotion: "reduce" });
  await visit("/");
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Search or jump to…" });
  const readTop = async () => (await field.boundingBox())?.y;
  await page.getByRole("option").nth(5).waitFor();
  await waitForAnimations(page);
  const top = await readTop();
  expect(top).toBeNumber();
  await field.fill("wallet");
  await page.getByRole("option", { name: "Wallet" }).first().waitFor();
  expect(await readTop()).toBe(top);
  await field.fill("zzzzzzzz");
  await page.getByRole("option").first().waitFor({ state: "detached" });
  expect(await readTop()).toBe(top);
});

historyTest("NAV-1 every sidebar and palette target loads without errors", async (one) => {
  const { page, goTo, environment } = one;
  await goTo("/");
  const links = page.getByRole("navigation", { name: "Main" }).getByRole("link");
  await links.nth(3).waitFor();
  const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  expect(hrefs.length).toBeGreaterThanOrEqual(9);
  for (const [at, href] of hrefs.entries()) {
    await links.nth(at).click();
    await page.waitForURL((url) => url.href.startsWith(`${environment.url}${href}`));
    await expectSound(page);
  }
  await page.keyboard.press("Control+k");
  await page.getByRole("option").first().waitFor();
  const names = await page.getByRole("option").locator("span.truncate").allTextContents();
  await goTo("/");
  await expectSound(page);
  const pages = ["API Keys", "Playground", "Models", "Usage", "Logs", "Wallet", "Overview"];
  expect(names).toEqual(expect.arrayContaining(pages));
  for (const name of pages) {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search or jump to…" }).fill(name);
    await page.keyboard.press("Enter");
    await waitForArrival(page, name);
    await expectSound(page);
  }
});

async function expectSound(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  expect(await page.getByText("Something went wrong on this page").count()).toBe(0);
  expect(await page.getByText("Couldn't load").count()).toBe(0);
  expect(await page.getByText("There's no page at this address.").count()).toBe(0);
}

browserTest("NAV-2 Back and Forward restore filters, scroll and focus", async ({ page, goTo }) => {
  await page.setViewportSize({ width: 1280, height: 400 });
  await goTo("/models");
  const rows = page.getByRole("table").first().locator("tbody tr");
  await rows.first().waitFor();
  await page.getByRole("combobox", { name: "Provider" }).selectOption("sandbox");
  const filtered = page.url();
  await rows.nth(3).waitFor();
  const last = rows.last().getByRole("link").first();
  const name = (await last.textContent()) ?? "";
  await last.scrollIntoViewIfNeeded();
  const scrolled = await page.evaluate(() => scrollY);
  expect(scrolled).toBeGreaterThan(0);
  await last.click();
  await waitForFocusedHeading(page, name);
  await page.goBack();
  await rows.nth(3).waitFor();
  expect(page.url()).toBe(filtered);
  await page.waitForFunction((y) => Math.abs(scrollY - y) < 2, scrolled);
  await waitForFocusedHeading(page, "Models");
  await page.goForward();
  await waitForFocusedHeading(page, name);
});

/** Pages with their own data calls; the others need none. */
const loading = memberRoutes().filter(
  ({ name }) => !["settings-profile", "settings-notifications", "settings-members"].includes(name),
);

const troubles: readonly Trouble[] = [500, 403, "offline"];

historyTest("ERR-1 every page says what failed, and Try again recovers", async (one) => {
  const { page, goTo, history } = one;
  const details = memberRoutes(history).filter(({ name }) =>
    ["key", "log", "top-up"].includes(name),
  );
  for (const { path } of [...loading, ...details]) {
    for (const trouble of troubles) {
      const mend = await breakCalls(page, trouble);
      await goTo(path);
      const again = page.getByRole("button", { name: "Try again" });
      await again.first().waitFor();
      await page
        .getByText(/Couldn't load .+\./)
        .first()
        .waitFor();
      if (trouble === 500) await page.getByText("Reference req_browser_test").first().waitFor();
      await mend();
      await tryAgain(page);
    }
  }
});

/** The pages that show the balance, in addition to the top bar. */
const withBalance = ["/wallet", "/"] as const;
const balance = (page: Page) => page.getByRole("link", { name: /^Balance \$\d/ });

historyTest(
  "ERR-1 no page shows a made-up balance, and Try again loads the real one",
  async (one) => {
    const { page, goTo } = one;
    await goTo("/");
    const amount = (await balance(page).textContent()) ?? "";
    for (const path of withBalance) {
      for (const trouble of troubles) {
        const mend = await breakCalls(page, trouble, identity);
        await goTo(path);
        await page.getByRole("link", { name: "Balance unavailable" }).waitFor();
        await page.getByRole("button", { name: "Try again" }).first().waitFor();
        await waitForNoSkeleton(page);
        const failed = path === "/wallet" ? "your balance" : "your overview";
        const words = page.getByText(`Couldn't load ${failed}.`);
        await words.first().waitFor();
        expect(await page.getByText("$0.00").count()).toBe(0);
        await mend();
        await tryAgain(page);
        await balance(page).waitFor();
        expect(await balance(page).textContent()).toBe(amount);
        const shown = page
          .locator("main")
          .getByText(amount.replace("Balance ", ""), { exact: true });
        await shown.first().waitFor();
      }
    }
  },
);

function waitForNoSkeleton(page: Page) {
  return page.waitForFunction(() => document.querySelector(".animate-pulse") === null);
}

memberTest(
  "ERR-2 an expired session returns to the same page with the typed values",
  async (one) => {
    const { page, goTo, member, environment } = one;
    await goTo("/settings/profile");
    await page.getByLabel(/^Name/).fill("Grace");
    await member.mutate("auth.logout");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Your session expired. Sign in to continue where you left off.").waitFor();
    expect(await page.getByLabel("Email").inputValue()).toBe(member.email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(`${environment.url}/settings/profile`);
    expect(await page.getByLabel(/^Name/).inputValue()).toBe("Grace");
  },
);

memberTest(
  "ERR-2 a question asked after the session expired is a draft again after signing in",
  async (one) => {
    const { page, goTo, member } = one;
    await goTo("/playground");
    const draft = page.getByLabel("Your message");
    await draft.fill("A long question");
    await member.mutate("auth.logout");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Your session expired. Sign in to continue where you left off.").waitFor();
    expect(await page.getByLabel("Email").inputValue()).toBe(member.email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await draft.waitFor();
    expect(await draft.inputValue()).toBe("A long question");
    expect(await page.getByRole("heading", { name: "You" }).count()).toBe(0);
  },
);

historyTest("ERR-3 slow answers show skeletons, never an empty state", async ({ page, goTo }) => {
  const empty = /No (keys|requests|transactions|usage|models?)\b|Waiting for the first/;
  for (const { path } of loading) {
    const release = await holdCalls(page);
    await goTo(path);
    // Skeletons are drawn after 150 ms of waiting.
    await page.locator("main .animate-pulse").first().waitFor();
    expect(await page.locator("main").getByText(empty).count()).toBe(0);
    await release();
    await page.locator("main .animate-pulse").first().waitFor({ state: "detached" });
  }
});

historyTest("ERR-3 a balance that is slow is a skeleton, never an amount", async (one) => {
  const { page, goTo } = one;
  for (const path of withBalance) {
    const release = await holdCalls(page, identity);
    await goTo(path);
    await page.locator("header .animate-pulse").first().waitFor();
    await page.locator("main .animate-pulse").first().waitFor();
    expect(await page.getByText("$0.00").count()).toBe(0);
    expect(await page.getByText("Couldn't load").count()).toBe(0);
    await release();
    await balance(page).waitFor();
    await waitForNoSkeleton(page);
  }
});

memberTest(
  "KEY-2 Back and reload ask before they discard what a dialog or page holds",
  async (one) => {
    const { page, goTo, environment } = one;
    await goTo("/keys");
    await page.getByRole("button", { name: "Create API Key" }).first().click();
    const dialog = page.getByRole("dialog");
    const name = dialog.getByLabel("Name", { exact: true });
    await name.fill("half written");
    const question = page.getByRole("alertdialog", { name: "Discard changes?" });
    await page.evaluate(() => history.back());
    await question.getByRole("button", { name: "Keep editing" }).click();
    expect(await name.inputValue()).toBe("half written");
    const asked = page.waitForEvent("dialog");
    const reloaded = page.reload();
    expect((await asked).type()).toBe("beforeunload");
    await (await asked).accept();
    await reloaded;
    await name.fill("half written");
    await page.evaluate(() => history.back());
    await question.getByRole("button", { name: "Discard" }).click();
    await page.waitForURL(`${environment.url}/keys`);
    await goTo("/settings/security");
    await page.getByLabel("New password", { exact: true }).fill("half of a password");
    await page.getByRole("link", { name: "Usage" }).first().click();
    await question.getByRole("button", { name: "Discard" }).click();
    await page.waitForURL(`${environment.url}/usage`);
  },
);
