// Keyboard-only use: moves by Tab, and presses only what has the focus.
import type { Locator, Page } from "playwright-core";

export type Keyboard = {
  /** Tabs to a link or button and presses Enter. */
  readonly press: (target: Locator) => Promise<void>;
  /** Types into the field of this name, which the page gave the focus. */
  readonly type: (field: string, text: string) => Promise<void>;
};

const tabsMax = 60;

export function openKeyboard(page: Page): Keyboard {
  const hasFocus = (target: Locator) => target.evaluate((it) => it === document.activeElement);
  return {
    async press(target) {
      await target.waitFor();
      for (let tabs = 0; !(await hasFocus(target)); tabs += 1) {
        if (tabs === tabsMax) throw new Error(`Tab does not lead to ${target}.`);
        await page.keyboard.press("Tab");
      }
      await page.keyboard.press("Enter");
    },
    async type(field, text) {
      await page.waitForFunction(
        (name) => document.activeElement?.getAttribute("name") === name,
        field,
      );
      await page.keyboard.type(text);
    },
  };
}
