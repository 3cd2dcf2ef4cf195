// The landing page as the build drew it, while the console is being drawn behind it: what a reader does with it works,
// and is kept when the console takes over.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { type BrowserTest, browserTest } from "./browser-test.fixture.ts";

/** Opens the landing page, whose console waits for the models until they are released. */
async function openHeld({ page, environment }: BrowserTest): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/trpc/*models.list*", async (route) => {
    await released;
    await route.continue();
  });
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
  release();
});

browserTest("LND-10 the focus and opened questions are kept", async (opened) => {
  const { page } = opened;
  const release = await openHeld(opened);
  const view = page.locator("#first-view");
  await view.getByText("Are prompts and answers stored?").click();
  await view.getByRole("link", { name: "How billing works" }).focus();
  release();
  await takeover(page);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("How billing works");
  expect(await page.locator("details[open]").allInnerTexts()).toEqual([
    expect.stringContaining("Are prompts and answers stored?"),
  ]);
});

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
    release();
    await takeover(page);
    expect(await placesOf()).toEqual(before);
    await page.unrouteAll();
  }
});
