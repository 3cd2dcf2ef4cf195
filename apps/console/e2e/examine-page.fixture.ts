// Examines pages with axe, in both themes and both widths.
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import type { Route } from "./routes.fixture.ts";
import { waitForAnimations } from "./wait-for-animations.fixture.ts";

const axe = readFileSync(Bun.resolveSync("axe-core/axe.min.js", import.meta.dirname), "utf8");
const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Until the theme is applied and its color transitions have finished. */
async function waitForTheme(page: Page, theme: string): Promise<void> {
  await page.waitForFunction((it) => document.documentElement.dataset.theme === it, theme);
  await waitForAnimations(page);
}

/** The violations axe reports, with their locations. */
export async function examine(
  page: Page,
  { only, not = [] }: { only?: readonly string[]; not?: readonly string[] } = {},
): Promise<readonly string[]> {
  if (!(await page.evaluate(() => "axe" in window))) {
    // Through the debugger: the policy of the page allows no script but its own.
    await page.evaluate(`${axe};undefined`);
  }
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

/**
 * Axe in both themes and both widths; only colors differ between themes. `open` is called for the first look: wide and
 * light.
 */
export async function examineLooks(
  page: Page,
  { name, path }: Route,
  open: (path: string) => Promise<void>,
): Promise<readonly string[]> {
  const found: string[] = [];
  const note = (where: string, all: readonly string[]) => {
    found.push(...all.map((one) => `${name}, ${where}: ${one}`));
  };
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: "light" });
  await open(path);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await waitForTheme(page, "light");
  note("light", await examine(page));
  await page.emulateMedia({ colorScheme: "dark" });
  await waitForTheme(page, "dark");
  note("dark", await examine(page, { only: ["color-contrast"] }));
  await page.setViewportSize({ width: 390, height: 844 });
  note("narrow", await examine(page, { not: ["color-contrast"] }));
  return found;
}
