// Detects when a page is idle: no request is running, and some frames have passed in which none began.
import type { BrowserContext, Page, Request } from "playwright-core";

const calmFrames = 4;

/** Resolves once a page of the context has sent no request during a few frames. */
export type Settle = (page: Page) => Promise<void>;

export function watchRequests(context: BrowserContext): Settle {
  const open = new Set<Request>();
  let begun = 0;
  let allEnded = Promise.withResolvers<void>();
  allEnded.resolve();
  context.on("request", (request) => {
    begun += 1;
    if (open.size === 0) allEnded = Promise.withResolvers();
    open.add(request);
  });
  const end = (request: Request) => {
    open.delete(request);
    if (open.size === 0) allEnded.resolve();
  };
  context.on("requestfinished", end);
  context.on("requestfailed", end);
  return async (page) => {
    await page.locator("h1").first().waitFor({ state: "attached" });
    let before: number;
    do {
      await allEnded.promise;
      before = begun;
      await passFrames(page);
    } while (begun !== before);
  };
}

function passFrames(page: Page): Promise<void> {
  return page.evaluate(
    (frames) =>
      new Promise((resolve) => {
        const pass = (left: number) => {
          if (left === 0) resolve();
          else requestAnimationFrame(() => pass(left - 1));
        };
        pass(frames);
      }),
    calmFrames,
  );
}
