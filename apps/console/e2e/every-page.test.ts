// What every page keeps. One walk opens each page once, and notes for all promises at the same time; whichever test runs
// first waits for it.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { type BrowserTest, browserTest, historyTest } from "./browser-test.fixture.ts";
import { examineLooks } from "./examine-page.fixture.ts";
import { readTranslatable } from "./read-translatable.fixture.ts";
import { readViolations } from "./read-violations.fixture.ts";
import { memberRoutes, publicRoutes, type Route } from "./routes.fixture.ts";
import { readShifts, type Shifts, watchShifts } from "./watch-shifts.fixture.ts";

type Visit = {
  readonly name: string;
  /** Of axe. */
  readonly found: readonly string[];
  readonly shifts: Shifts;
  /** Where the page scrolls sideways. */
  readonly wide: readonly string[];
  readonly translatable: readonly string[];
};

async function walk(one: BrowserTest, routes: readonly Route[]): Promise<readonly Visit[]> {
  const { page, context, visit } = one;
  await watchShifts(page, context);
  const resize = await openResize(one);
  const visits: Visit[] = [];
  for (const route of routes) {
    await resize(1280, 16);
    await page.emulateMedia({ reducedMotion: "no-preference" });
    let shifts: Shifts | undefined;
    const found = await examineLooks(page, route, async (path) => {
      await visit(path);
      shifts = await readShifts(page);
    });
    if (shifts === undefined) throw new Error(`${route.path} was not opened.`);
    const translatable = await readTranslatable(page);
    const wide: string[] = [];
    for (const [width, fontPx] of [
      [320, 16],
      [1280, 32],
    ] as const) {
      await resize(width, fontPx);
      const overflow = await overflowOf(page);
      if (overflow > 0) wide.push(`${route.name}, ${width} px, text ${fontPx} px: ${overflow} px`);
    }
    visits.push({ name: route.name, found, shifts, wide, translatable });
  }
  return visits;
}

async function openResize({ page, context }: BrowserTest) {
  const settings = await context.newCDPSession(page);
  return async (width: number, fontPx: number) => {
    await page.setViewportSize({ width, height: 800 });
    // As in the browser's settings.
    await settings.send("Page.setFontSizes", { fontSizes: { standard: fontPx } });
  };
}

/** Tables and code may scroll sideways in their own regions; the page may not. */
function overflowOf(page: Page): Promise<number> {
  return page.evaluate(async () => {
    // What depends on the width has been drawn.
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    return document.documentElement.scrollWidth - innerWidth;
  });
}

type HistoryTest = Parameters<Parameters<typeof historyTest>[1]>[0];

let walked: Promise<readonly Visit[]> | undefined;

/** The pages of a member with a history. */
function visitsOf(one: HistoryTest): Promise<readonly Visit[]> {
  walked ??= walk(one, memberRoutes(one.history));
  return walked;
}

historyTest("A11Y-1 axe finds nothing on loaded pages, sheets and dialogs", async (one) => {
  const visits = await visitsOf(one);
  expect(visits.flatMap(({ found }) => found)).toEqual([]);
});

historyTest(
  "A11Y-3 at 320 px, and with text twice as large, pages do not scroll sideways",
  async (one) => {
    const visits = await visitsOf(one);
    expect(visits.flatMap(({ wide }) => wide)).toEqual([]);
  },
);

historyTest(
  "PERF-3 at 1280 px little moves while a page loads, and no button by itself",
  async (one) => {
    const visits = await visitsOf(one);
    expect(visits.filter(({ shifts }) => isUnsteady(shifts))).toEqual([]);
  },
);

historyTest("amounts, ids, models and code are not translated with their page", async (one) => {
  const visits = await visitsOf(one);
  const found = visits.flatMap(({ name, translatable }) =>
    translatable.map((text) => `${name}, ${text}`),
  );
  expect(found).toEqual([]);
});

historyTest("SEC-1 no member page violates the policy", async (one) => {
  await visitsOf(one);
  expect(await readViolations(one.environment)).toBe(0);
});

historyTest(
  "PERF-3 at 390 px little moves while a page loads, and no button by itself",
  async ({ page, context, visit, history }) => {
    await watchShifts(page, context);
    const found = [];
    for (const { name, path } of memberRoutes(history)) {
      await visit(path);
      const shifts = await readShifts(page);
      if (isUnsteady(shifts)) found.push({ name, shifts });
    }
    expect(found).toEqual([]);
  },
  { width: 390 },
);

/** For everything together, cards that move as a whole among it, the bound is the one that browsers call good. */
function isUnsteady({ sum, moved }: Shifts): boolean {
  return sum >= 0.1 || moved.length > 0;
}

browserTest(
  "A11Y-1, SEC-1 axe finds nothing on public pages, and none violates the policy",
  async ({ page, environment, visit }) => {
    for (const route of publicRoutes) expect(await examineLooks(page, route, visit)).toEqual([]);
    expect(await readViolations(environment)).toBe(0);
  },
);
