// Detects when a page is idle: no request is running, and some frames have passed since the last one.
import type { BrowserContext, Page, Request } from "playwright-core";

const calmFrames = 8;

/** Resolves once a page of the context has sent no request during a few frames. */
export type Settle = (page: Page) => Promise<void>;

export function watchRequests(context: BrowserContext): Settle {
  const open = new Set<Request>();
  context.on("request", (request) => void open.add(request));
  context.on("requestfinished", (request) => void open.delete(request));
  context.on("requestfailed", (request) => void open.delete(request));
  return async (page) => {
    await page.locator("h1").first().waitFor({ state: "attached" });
    for (let calm = 0; calm < calmFrames; calm = open.size === 0 ? calm + 1 : 0) {
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    }
  };
}
