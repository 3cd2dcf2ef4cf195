// What a browser that translates a page would change although it is no language: amounts, ids, keys, models and code that
// stand by themselves, outside of every `translate="no"`.
import type { Page } from "playwright-core";

/** Each with the tag that it is in. Charts are pictures: their axes are not examined. */
export function readTranslatable(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const amount = /^[-+−]?\$[\d.,]+$/;
    const id =
      /^(?:[\da-f]{8}-[\da-f]{4}-[\da-f-]{22}|(?:gen|req|chatcmpl)[-_][\da-f]{8,}|sk-\S+|[\w.-]+\/[\w.:-]+)$/;
    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const text = node.textContent?.trim() ?? "";
      const parent = node.parentElement;
      if (parent === null || text === "") continue;
      if (parent.closest('[translate="no"], svg, script, style, textarea, option') !== null)
        continue;
      const isCode = parent.closest("code, pre, .font-mono") !== null;
      if (isCode || amount.test(text) || id.test(text)) {
        found.push(`${parent.localName}: ${text}`);
      }
    }
    return found;
  });
}
