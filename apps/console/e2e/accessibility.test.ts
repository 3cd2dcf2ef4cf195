// Accessibility: axe on pages in every state, focus order, forced colors and reduced motion. What loaded pages and public
// ones keep is in every-page.test.ts.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { becomeOperator } from "./become-operator.fixture.ts";
import { breakCalls } from "./break-calls.fixture.ts";
import { type BrowserTest, browserTest, historyTest, memberTest } from "./browser-test.fixture.ts";
import { examine, examineLooks } from "./examine-page.fixture.ts";
import { pageStates } from "./page-states.fixture.ts";
import { memberRoutes, operatorRoutes, type Route } from "./routes.fixture.ts";
import { seedBudgets } from "./seed-budgets.fixture.ts";
import { seedHistory, useSeededAccount } from "./seed-history.fixture.ts";
import { showStatus } from "./show-status.fixture.ts";

/** All but the first page are opened as by a link: their looks are the same, and the console is loaded once. */
async function examineAll(
  { page, visit, follow }: BrowserTest,
  routes: readonly Route[],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [at, route] of routes.entries()) {
    found.push(...(await examineLooks(page, route, at === 0 ? visit : follow)));
  }
  return found;
}

browserTest("A11Y-1 axe finds nothing on a status with incidents", async (one) => {
  await showStatus(one.page);
  expect(await examineAll(one, [{ name: "status", path: "/status" }])).toEqual([]);
});

memberTest("A11Y-1 axe finds nothing on empty pages", async (one) => {
  expect(await examineAll(one, memberRoutes())).toEqual([]);
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
    expect(await examineAll(one, routes)).toEqual([]);
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
  expect(await examineAll(one, routes)).toEqual([]);
  const account = routes.find(({ name }) => name === "operator-account");
  await one.visit(account?.path ?? "");
  await page.getByRole("button", { name: "Adjust", exact: true }).click();
  await page.getByRole("dialog").waitFor();
  expect(await examine(page)).toEqual([]);
});

historyTest("A11Y-1 axe finds nothing on pages in their error state", async (one) => {
  await breakCalls(one.page, 500);
  expect(await examineAll(one, memberRoutes(one.history))).toEqual([]);
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

memberTest(
  "A11Y-4 forced colors keep controls visible, reduced motion stops animations",
  async ({ page, visit, follow }) => {
    for (const [at, { name, path }] of memberRoutes().entries()) {
      await (at === 0 ? visit(path) : follow(path));
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
