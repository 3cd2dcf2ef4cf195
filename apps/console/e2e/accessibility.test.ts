// Accessibility: axe on every page, focus order, narrow and enlarged pages, forced colors and reduced
// motion.
import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { becomeOperator } from "./become-operator.fixture.ts";
import { breakCalls } from "./break-calls.fixture.ts";
import { type BrowserTest, browserTest, historyTest, memberTest } from "./browser-test.fixture.ts";
import { pageStates } from "./page-states.fixture.ts";
import { memberRoutes, operatorRoutes, publicRoutes, type Route } from "./routes.fixture.ts";
import { seedBudgets } from "./seed-budgets.fixture.ts";
import { seedHistory, useSeededAccount } from "./seed-history.fixture.ts";
import { showStatus } from "./show-status.fixture.ts";

const axe = readFileSync(Bun.resolveSync("axe-core/axe.min.js", import.meta.dirname), "utf8");
const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Until the theme is applied and its color transitions have finished. */
async function waitForTheme(page: Page, theme: string): Promise<void> {
  await page.waitForFunction((it) => document.documentElement.dataset.theme === it, theme);
  await page.evaluate(async () => {
    const running = () =>
      document
        .getAnimations()
        .filter((it) => it.effect?.getComputedTiming().iterations !== Infinity)
        .filter(({ playState }) => playState === "running");
    // A transition that ends may start another, of what inherits its color; its last value is drawn a frame later.
    do {
      await Promise.allSettled(running().map((it) => it.finished));
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
    } while (running().length > 0);
  });
}

/** The violations axe reports, with their locations. */
async function examine(
  page: Page,
  { only, not = [] }: { only?: readonly string[]; not?: readonly string[] } = {},
): Promise<readonly string[]> {
  // Through the debugger: the policy of the page allows no script but its own.
  await page.evaluate(`${axe};undefined`);
  return page.evaluate(
    async ({ tags, only, not }) => {
      const { axe } = window as unknown as {
        axe: {
          run(options: object): Promise<{
            violations: { id: string; nodes: { target: string[]; failureSummary: string }[] }[];
          }>;
        };
      };
      const runOnly = only ? { type: "rule", values: only } : { type: "tag", values: tags };
      const rules = Object.fromEntries(not.map((id) => [id, { enabled: false }]));
      const { violations } = await axe.run({ runOnly, rules, resultTypes: ["violations"] });
      return violations.map(
        ({ id, nodes }) =>
          `${id}: ${nodes[0]?.target.join(" ")} (${nodes.length}) ${nodes[0]?.failureSummary}`,
      );
    },
    { tags: rules, only, not },
  );
}

/** Axe in both themes and both widths; only colors differ between themes. */
async function examineRoute(
  { page, visit }: BrowserTest,
  { name, path }: Route,
): Promise<string[]> {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await visit(path);
  const found: string[] = [];
  const note = (where: string, all: readonly string[]) => {
    found.push(...all.map((one) => `${name}, ${where}: ${one}`));
  };
  note("light", await examine(page));
  await page.emulateMedia({ colorScheme: "dark" });
  await waitForTheme(page, "dark");
  note("dark", await examine(page, { only: ["color-contrast"] }));
  await page.setViewportSize({ width: 390, height: 844 });
  note("narrow", await examine(page, { not: ["color-contrast"] }));
  return found;
}

browserTest("A11Y-1 axe finds nothing on public pages", async (one) => {
  for (const route of publicRoutes) expect(await examineRoute(one, route)).toEqual([]);
});

browserTest("A11Y-1 axe finds nothing on a status with incidents", async (one) => {
  await showStatus(one.page);
  expect(await examineRoute(one, { name: "status", path: "/status" })).toEqual([]);
});

memberTest("A11Y-1 axe finds nothing on empty pages", async (one) => {
  for (const route of memberRoutes()) expect(await examineRoute(one, route)).toEqual([]);
});

historyTest("A11Y-1 axe finds nothing on loaded pages, sheets and dialogs", async (one) => {
  for (const route of memberRoutes(one.history)) expect(await examineRoute(one, route)).toEqual([]);
});

memberTest(
  "A11Y-1 axe finds nothing on projects, budgets and guardrails and their dialogs",
  async (one) => {
    const { page, member, environment } = one;
    const history = await seedHistory(environment, member);
    await seedBudgets(member, history);
    const routes = [
      ...["projects", "budgets", "keys"].map((name) => ({ name, path: `/${name}` })),
      { name: "create-key", path: "/keys?do=create-key" },
      { name: "refused", path: "/logs?status=4xx" },
      { name: "guardrails", path: "/settings/guardrails" },
      { name: "key", path: `/keys/${history.keyId}` },
    ];
    for (const route of routes) expect(await examineRoute(one, route)).toEqual([]);
    for (const state of pageStates.filter(({ name }) =>
      /^(budgets|projects|guardrails)-/.test(name),
    )) {
      await one.visit(state.path);
      await state.act(page);
      expect(await examine(page)).toEqual([]);
    }
  },
);

memberTest(
  "A11Y-1 axe finds nothing on the playground with tools, four models, its history and what is shared",
  async ({ page, visit }) => {
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      for (const state of pageStates.filter(({ name }) => name.startsWith("playground-"))) {
        await visit(state.path);
        await state.act(page);
        expect([state.name, await examine(page)]).toEqual([state.name, []]);
        // Nothing is wider than the window.
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect([state.name, overflow]).toEqual([state.name, 0]);
      }
    }
  },
  { usd: "10" },
);

memberTest("A11Y-1 axe finds nothing at the operator's desk", async (one) => {
  const { environment, member, page } = one;
  const { history, member: customer } = await useSeededAccount(environment);
  await becomeOperator(environment, member);
  const routes = await operatorRoutes(member, customer, history);
  for (const route of routes) expect(await examineRoute(one, route)).toEqual([]);
  const account = routes.find(({ name }) => name === "operator-account");
  await one.visit(account?.path ?? "");
  await page.getByRole("button", { name: "Adjust", exact: true }).click();
  await page.getByRole("dialog").waitFor();
  expect(await examine(page)).toEqual([]);
});

historyTest("A11Y-1 axe finds nothing on pages in their error state", async (one) => {
  await breakCalls(one.page, 500);
  for (const route of memberRoutes(one.history)) expect(await examineRoute(one, route)).toEqual([]);
});

type Overlay = {
  readonly path: string;
  readonly opener: readonly [role: "button" | "link", name: string | RegExp];
  readonly inside: readonly [role: "dialog" | "menu", name?: string];
};

const overlays: readonly Overlay[] = [
  { path: "/keys", opener: ["button", "Create API Key"], inside: ["dialog", "Create API key"] },
  { path: "/keys", opener: ["button", "Actions for production"], inside: ["menu"] },
  { path: "/", opener: ["button", "Account"], inside: ["menu"] },
  { path: "/", opener: ["button", "Help"], inside: ["menu"] },
  { path: "/", opener: ["button", /^Search or jump/], inside: ["dialog", "Search or jump to…"] },
  { path: "/logs", opener: ["link", /\d:\d\d:\d\d/], inside: ["dialog", "Request"] },
  { path: "/usage", opener: ["button", "Keys"], inside: ["menu"] },
  { path: "/playground", opener: ["button", "History"], inside: ["dialog", "History"] },
];

historyTest("A11Y-2 focus moves into each overlay, stays inside, and returns", async (one) => {
  const { page, goTo } = one;
  for (const { path, opener, inside } of overlays) {
    await goTo(path);
    const [role, name] = inside;
    const button = page.getByRole(opener[0], { name: opener[1], exact: true }).first();
    const overlay = page.getByRole(role, name === undefined ? {} : { name });
    await button.focus();
    await page.keyboard.press("Enter");
    await overlay.waitFor();
    const holdsFocus = () => overlay.evaluate((it) => it.contains(document.activeElement));
    await page.waitForFunction(
      (wanted) => document.activeElement?.closest(`[role=${wanted}]`) !== null,
      role,
    );
    for (let step = 0; role === "dialog" && step < 12; step += 1) {
      await page.keyboard.press("Tab");
      expect([opener[1], step, await holdsFocus()]).toEqual([opener[1], step, true]);
    }
    await page.keyboard.press("Escape");
    // The first Escape may have closed the tooltip of a focused figure.
    if ((await page.getByRole("dialog").count()) > 0) await page.keyboard.press("Escape");
    await overlay.waitFor({ state: "detached" });
    await page.waitForFunction(() => document.activeElement !== document.body);
    expect([opener[1], await button.evaluate((it) => it === document.activeElement)]).toEqual([
      opener[1],
      true,
    ]);
    await page.waitForFunction(() => getComputedStyle(document.body).pointerEvents !== "none");
  }
});

/** Tables and code may scroll sideways in their own regions; the page may not. */
async function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
}

historyTest(
  "A11Y-3 at 320 px, and with text twice as large, pages do not scroll sideways",
  async ({ page, visit, history }) => {
    const settings = await page.context().newCDPSession(page);
    const wide: string[] = [];
    const measure = async (width: number, fontPx: number) => {
      await page.setViewportSize({ width, height: 800 });
      // As in the browser's settings.
      await settings.send("Page.setFontSizes", { fontSizes: { standard: fontPx } });
      for (const { name, path } of memberRoutes(history)) {
        await visit(path);
        const overflow = await overflowOf(page);
        if (overflow > 0) wide.push(`${name}, ${width} px, text ${fontPx} px: ${overflow} px more`);
      }
    };
    await measure(320, 16);
    await measure(1280, 32);
    expect(wide).toEqual([]);
  },
);

memberTest(
  "A11Y-4 forced colors keep controls visible, reduced motion stops animations",
  async ({ page, visit }) => {
    for (const { name, path } of memberRoutes()) {
      await visit(path);
      expect([name, await readBorderless(page)]).toEqual([name, []]);
      expect([name, await readMoving(page)]).toEqual([name, []]);
    }
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    const outline = await page.evaluate(() => {
      const { outlineStyle, outlineWidth } = getComputedStyle(
        document.activeElement ?? document.body,
      );
      return { outlineStyle, width: Number.parseFloat(outlineWidth) };
    });
    expect(outline.outlineStyle).not.toBe("none");
    expect(outline.width).toBeGreaterThanOrEqual(2);
  },
  { forcedColors: true, reducedMotion: true },
);

/** Controls recognizable only by their fill, which forced colors remove. */
function readBorderless(page: Page): Promise<readonly string[]> {
  return page.locator("main button, main input, main select").evaluateAll((all) =>
    all
      .filter((it) => it instanceof HTMLElement && it.offsetParent !== null)
      .filter((it) => it.matches("input:not([type=radio], [type=checkbox]), select, [type=submit]"))
      .filter((it) => {
        const { borderStyle, outlineStyle } = getComputedStyle(it);
        const frame = it.parentElement ? getComputedStyle(it.parentElement).borderStyle : "none";
        return borderStyle === "none" && outlineStyle === "none" && frame === "none";
      })
      .map((it) => it.outerHTML.slice(0, 120)),
  );
}

function readMoving(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    document
      .getAnimations()
      .filter((it) => it.playState === "running")
      .filter((it) => Number(it.effect?.getComputedTiming().duration ?? 0) > 20)
      .map((it) => (it instanceof CSSAnimation ? it.animationName : "transition")),
  );
}
