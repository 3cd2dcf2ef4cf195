// What a new user may encounter: a slow API, a failing first request, an empty balance, copied text, and
// the current page in the navigation.
import { expect } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { askChat } from "./ask-gateway.fixture.ts";
import { holdCalls } from "./break-calls.fixture.ts";
import { historyTest, memberTest } from "./browser-test.fixture.ts";
import { models } from "./catalog.fixture.ts";
import { askUntilShown } from "./pass-time.fixture.ts";

const navigation = (page: Page) => page.getByRole("navigation", { name: "Main" });
/** The page asks again while it waits for the first request. */
const askAgainMs = 2_000;
const nothingKept: ReadonlySet<string> = new Set();

historyTest("a cold load with a slow API paints the shell immediately", async ({ page, goTo }) => {
  // Signed in before: then the front page also has its shell immediately.
  await goTo("/");
  await navigation(page).waitFor();
  for (const [path, title] of [
    ["/keys", "API Keys"],
    ["/logs", "Logs"],
    ["/", "Overview"],
  ] as const) {
    const release = await holdCalls(page, nothingKept);
    await goTo(path);
    await navigation(page).getByRole("link", { name: "Wallet" }).waitFor();
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    await page.locator("main .animate-pulse").first().waitFor();
    await page.locator("header .animate-pulse").first().waitFor();
    const shell = await navigation(page).elementHandle();
    await release();
    await page.getByRole("link", { name: /^Balance \$/ }).waitFor();
    // The same shell: nothing was redrawn.
    expect(await shell?.evaluate((element) => element.isConnected)).toBe(true);
  }
});

memberTest(
  "a failed first request ends the waiting and is explained, without a reload",
  async ({ page, goTo, installClock, environment, member }) => {
    const { key } = await member.createKey("first");
    await installClock();
    await goTo("/");
    await page.getByText("Waiting for the first request…").waitFor();
    expect((await askChat(environment, key, { model: models.large })).status).toBe(402);
    const failed = page.getByText("Your request arrived and failed: 402, insufficient_quota");
    await askUntilShown(page, askAgainMs, failed);
    await page.getByText("The balance was too low for this request. Add funds.").waitFor();
    expect(await page.getByText("Waiting for the first request…").count()).toBe(0);
    await goTo("/keys");
    await page.getByRole("row", { name: /first/ }).getByText("No balance left").waitFor();
  },
);

/** The contrast ratio of two colors, as `rgb(…)`: 1 if they are the same. */
function contrastOf(one: string, other: string): number {
  const luminance = (color: string) => {
    const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map((part) => {
      const value = Number(part) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** The color of an element and the first background behind it that is not transparent. */
function colorsOf(of: Locator, pseudo?: string) {
  return of.evaluate((element, name) => {
    const clear = "rgba(0, 0, 0, 0)";
    const own = getComputedStyle(element, name);
    const color = name === undefined ? own.color : own.backgroundColor;
    let behind: Element | null = element;
    while (behind && getComputedStyle(behind).backgroundColor === clear) {
      behind = behind.parentElement;
    }
    return {
      color,
      behind: behind ? getComputedStyle(behind).backgroundColor : "rgb(255,255,255)",
    };
  }, pseudo);
}

const graphicsContrast = 3;

for (const theme of ["light", "dark"] as const) {
  memberTest(
    `the check mark for copied is visible on every kind of button, ${theme}`,
    async ({ page, goTo, environment, member }) => {
      const { key } = await member.createKey("copied");
      await askChat(environment, key, { model: models.mini, max_tokens: 4 });
      const expectVisibleMark = async () => {
        const mark = page.locator("[data-copied] svg").first();
        await mark.waitFor();
        // Colors are final once the transitions are over.
        await page.locator("[data-copied]").evaluate(async (element) => {
          await Promise.all(element.getAnimations().map((animation) => animation.finished));
        });
        const { color, behind } = await colorsOf(mark);
        expect(contrastOf(color, behind)).toBeGreaterThan(graphicsContrast);
      };
      await goTo("/logs");
      await page.getByRole("table").locator("tbody tr").first().click();
      await page.getByRole("button", { name: "Copy id" }).click();
      await expectVisibleMark();
      await goTo("/models");
      await page.getByRole("button", { name: "Copy model id" }).first().click();
      await expectVisibleMark();
      await goTo("/keys?do=create-key");
      await page.getByLabel("Name", { exact: true }).fill("shown once");
      await page.getByRole("button", { name: "Create key" }).click();
      await page.getByRole("button", { name: "Copy key" }).click();
      await expectVisibleMark();
    },
    { usd: "10", theme, reducedMotion: true },
  );

  historyTest(
    `the sidebar's mark of the current page is visible, ${theme}`,
    async ({ page, goTo }) => {
      await goTo("/keys");
      const current = navigation(page).locator("[aria-current=page]");
      await current.waitFor();
      const { color, behind } = await colorsOf(current, "::before");
      expect(contrastOf(color, behind)).toBeGreaterThan(graphicsContrast);
    },
    { theme, reducedMotion: true },
  );

  historyTest(
    `the first series of the spend chart has the brand color, ${theme}`,
    async ({ page, goTo }) => {
      await goTo("/");
      const swatch = page
        .getByRole("list", { name: /^Shown in Spend/ })
        .locator("rect")
        .first();
      await swatch.waitFor();
      const [lead, brand] = await Promise.all([
        swatch.evaluate((element) => getComputedStyle(element).fill),
        page.evaluate(() => {
          const probe = document.createElement("i");
          probe.className = "bg-brand";
          document.body.append(probe);
          const color = getComputedStyle(probe).backgroundColor;
          probe.remove();
          return color;
        }),
      ]);
      expect(lead).toBe(brand);
    },
    { theme, reducedMotion: true },
  );
}
