// Names as long as they may be and without a space in them: on a phone none of their text is cut off.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { askChat } from "./ask-gateway.fixture.ts";
import { type BrowserTest, browserTest, signInBrowser } from "./browser-test.fixture.ts";
import { models } from "./catalog.fixture.ts";
import { joinAs } from "./member.fixture.ts";

const width = 320;
const email = `${"ann.".repeat(15)}lee@${"department.".repeat(8)}example.com`;
const keyName = `production-${"W".repeat(53)}`;
const modelId = `northwind/${"preview-instruct-".repeat(5)}2026`;

/** Text beyond the window's edge that is neither scrolled into view nor shortened by an ellipsis. */
function readCutOff(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const mayExceed = (from: Element) => {
      for (let at: Element | null = from; at !== null; at = at.parentElement) {
        const { overflowX, textOverflow, position } = getComputedStyle(at);
        if (/auto|scroll/.test(overflowX) || textOverflow === "ellipsis") return true;
        if (position === "absolute" && at.clientWidth <= 1) return true;
      }
      return false;
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      if (text.parentElement === null || text.textContent?.trim() === "") continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const { right, width } = range.getBoundingClientRect();
      if (width === 0 || right <= innerWidth || mayExceed(text.parentElement)) continue;
      found.push(`${Math.round(right)} px: ${text.textContent}`);
    }
    return found;
  });
}

const chooseAction = async (page: Page, item: string) => {
  await page.getByRole("button", { name: `Actions for ${keyName}` }).click();
  await page.getByRole("menuitem", { name: item, exact: true }).click();
};

const states: readonly { path: string; act?: (page: Page) => Promise<unknown> }[] = [
  { path: "/" },
  { path: "/keys" },
  { path: "/keys", act: (page) => chooseAction(page, "Edit") },
  { path: "/keys", act: (page) => chooseAction(page, "Rotate secret") },
  { path: "/keys", act: (page) => chooseAction(page, "Revoke") },
  {
    path: "/keys",
    async act(page) {
      await chooseAction(page, "Disable");
      await page.getByText(`Disabled ${keyName}`).waitFor();
    },
  },
  { path: "/usage" },
  { path: "/usage?group=key" },
  { path: "/usage", act: (page) => page.getByRole("button", { name: "Filters" }).click() },
  { path: "/logs" },
  { path: "/wallet" },
  { path: "/settings/profile" },
  { path: "/settings/notifications" },
];

async function joinWithLongNames(one: BrowserTest): Promise<string> {
  const member = await joinAs(one.environment, email);
  await member.addFunds("10");
  const { id, key } = await member.createKey(keyName);
  await askChat(one.environment, key, { model: models.mini, max_tokens: 8 });
  // Refused, and in the logs with this name.
  await askChat(one.environment, key, { model: modelId });
  await signInBrowser(one, member);
  return id;
}

browserTest(
  "A11Y-3 long names of keys and models and long addresses are not cut off on a phone",
  async (one) => {
    const { page, visit } = one;
    const id = await joinWithLongNames(one);
    for (const { path, act } of [...states, { path: `/keys/${id}` }]) {
      await visit(path);
      await act?.(page);
      if (act !== undefined) await page.getByText(keyName).last().waitFor();
      expect({ path, act: act?.toString(), cut: await readCutOff(page) }).toEqual({
        path,
        act: act?.toString(),
        cut: [],
      });
    }
  },
  { width, reducedMotion: true },
);
