// Tables: the header stays visible above the rows, and a click anywhere in a row opens it.
import { expect } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { askChat } from "./ask-gateway.fixture.ts";
import { type MemberTest, memberTest } from "./browser-test.fixture.ts";
import { models } from "./catalog.fixture.ts";

const rowsMin = 12;

/** Enough keys and requests for both lists to be longer than the window. */
async function fill({ member, environment }: MemberTest): Promise<void> {
  const { key } = await member.createKey("caller");
  for (let made = 1; made < rowsMin; made += 1) await member.createKey(`key ${made}`);
  const body = { model: models.mini, max_tokens: 8 };
  await Promise.all(Array.from({ length: rowsMin }, () => askChat(environment, key, body)));
}

const lists = [
  { path: "/logs", opened: /\/logs\?.*id=gen-/ },
  { path: "/keys", opened: /\/keys\/[\w-]+$/ },
  { path: "/models", opened: /\/models\/.+/ },
] as const;

const table = (page: Page) => page.getByRole("main").getByRole("table").last();

/** The titles of header cells that are covered by something else once the last row is visible. */
function coveredHeads(of: Locator): Promise<readonly string[]> {
  return of.evaluate((element) => {
    element.querySelector("tbody tr:last-child")?.scrollIntoView({ block: "end" });
    const place = element.parentElement?.getBoundingClientRect();
    const isInSight = (box: DOMRect) =>
      box.left >= Math.max(0, place?.left ?? 0) &&
      box.right <= Math.min(innerWidth, place?.right ?? innerWidth);
    return [...element.querySelectorAll("thead th")].flatMap((cell) => {
      const box = cell.getBoundingClientRect();
      if (!isInSight(box)) return [];
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      const atTop = document.elementFromPoint(x, y);
      return atTop !== null && cell.contains(atTop) ? [] : [cell.textContent ?? ""];
    });
  });
}

memberTest(
  "the whole header of a table stays above its rows, wide and where it scrolls sideways",
  async (one) => {
    await fill(one);
    const { page, visit } = one;
    for (const width of [1280, 1100, 760]) {
      await page.setViewportSize({ width, height: 420 });
      for (const { path } of lists) {
        await visit(path);
        await table(page).locator("tbody tr").nth(2).waitFor();
        expect({ path, width, covered: await coveredHeads(table(page)) }).toEqual({
          path,
          width,
          covered: [],
        });
        const scrolled = await table(page).evaluate((element) => {
          const inside = element.parentElement?.scrollTop ?? 0;
          return scrollY + inside > 0;
        });
        expect(scrolled).toBe(true);
        // No part of a table is cut off: what does not fit can be scrolled into view.
        const reach = await table(page).evaluate((element) => {
          const place = element.parentElement;
          const width = element.getBoundingClientRect().width;
          return place === null ? 0 : Math.floor(width) - place.scrollWidth;
        });
        expect(reach).toBeLessThanOrEqual(0);
      }
    }
  },
  { usd: "10" },
);

memberTest(
  "a row opens by a click in any of its cells, by the keyboard, and in a new tab with Ctrl",
  async (one) => {
    await fill(one);
    const { page, context, goTo } = one;
    for (const { path, opened } of lists) {
      await goTo(path);
      const row = table(page).locator("tbody tr").nth(1);
      await row.waitFor();
      const count = await row.locator("th, td").count();
      // All but the last, which has the menu of the row.
      for (let at = 0; at < count - 1; at += 1) {
        // In the corner, away from the cell's value.
        await row
          .locator("th, td")
          .nth(at)
          .click({ position: { x: 3, y: 3 } });
        await page.waitForURL(opened);
        await page.goBack();
        await row.waitFor();
      }
      await row.getByRole("link").first().focus();
      await page.keyboard.press("Enter");
      await page.waitForURL(opened);
      await page.goBack();
      await row.waitFor();
      const [tab] = await Promise.all([
        context.waitForEvent("page"),
        row
          .locator("td")
          .nth(1)
          .click({ modifiers: ["Control"], position: { x: 3, y: 3 } }),
      ]);
      await tab.waitForURL(opened);
      await tab.close();
    }
  },
  { usd: "10" },
);
