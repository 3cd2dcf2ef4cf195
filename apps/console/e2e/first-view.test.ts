// The landing page as the build drew it, while the console is being drawn behind it: what a reader does with it works,
// and is kept when the console takes over.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { holdCalls } from "./break-calls.fixture.ts";
import { type BrowserTest, browserTest } from "./browser-test.fixture.ts";

/** Opens the landing page, whose console waits for the models until they are released. */
async function openHeld({ page, environment }: BrowserTest): Promise<() => Promise<void>> {
  // After a few seconds the console takes over anyway; not here, because a busy machine may take longer for a test.
  await page.addInitScript(() => {
    const { setTimeout } = globalThis;
    const later = (run: () => void, ms = 0, ...rest: unknown[]) =>
      setTimeout(run, ms > 1_000 ? 600_000 : ms, ...rest);
    Object.assign(globalThis, { setTimeout: later });
  });
  const release = await holdCalls(page);
  const asked = page.waitForRequest("**/trpc/*models.list*");
  await page.goto(`${environment.url}/`);
  await asked;
  return release;
}

const takeover = (page: Page) => page.locator("#first-view").waitFor({ state: "detached" });

browserTest("LND-9 its links open their pages", async (opened) => {
  const { page } = opened;
  const release = await openHeld(opened);
  await page.locator("#first-view").getByRole("link", { name: "Sign in" }).first().click();
  await page.waitForURL("**/login");
  await page.getByLabel("Email").waitFor();
  await release();
});

browserTest(
  "LND-10 the focus, opened questions and what is being read are kept",
  async (opened) => {
    const { page } = opened;
    const release = await openHeld(opened);
    const view = page.locator("#first-view");
    await view.getByText("Are prompts and answers stored?").click();
    // The same link stands in the top bar.
    await view.locator("footer").getByRole("link", { name: "Sign in" }).focus();
    const questions = page.getByRole("heading", { name: "Questions and answers" });
    const placeOf = () => questions.evaluate((one) => Math.round(one.getBoundingClientRect().top));
    const before = await placeOf();
    await release();
    await takeover(page);
    expect(await placeOf()).toBe(before);
    const focused = page.locator("footer a:focus");
    expect(await focused.allTextContents()).toEqual(["Sign in"]);
    expect(await page.locator("details[open]").allInnerTexts()).toEqual([
      expect.stringContaining("Are prompts and answers stored?"),
    ]);
  },
);

browserTest("LND-11 the first screen is where the build drew it", async (opened) => {
  const { page } = opened;
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    const release = await openHeld(opened);
    const placesOf = () =>
      page.evaluate(() =>
        ["header", "h1", "h1 + p", "#first-request [role=tablist]", "#first-request pre"].map(
          (part) => {
            const visible = [...document.querySelectorAll(part)].find((one) =>
              one.checkVisibility(),
            );
            const { x, y, width, height } = visible?.getBoundingClientRect() ?? new DOMRect();
            return [part, x, y, width, height];
          },
        ),
      );
    await page.evaluate(() => document.fonts.ready);
    const before = await placesOf();
    expect(before.every(([, , , shownWidth]) => shownWidth !== 0)).toBe(true);
    await release();
    await takeover(page);
    expect(await placesOf()).toEqual(before);
  }
});
