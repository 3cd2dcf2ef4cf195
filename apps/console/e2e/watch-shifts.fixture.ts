// Records what moves while a page loads.
import type { BrowserContext, Page } from "playwright-core";

/** Answers come one after another, as over a network. */
const latencyMs = 100;

export type Shifts = {
  readonly sum: number;
  /** Buttons and links that slid away from where they were. */
  readonly moved: readonly string[];
};

/** From now on, in every page that the page loads. */
export async function watchShifts(page: Page, context: BrowserContext): Promise<void> {
  const network = await context.newCDPSession(page);
  await network.send("Network.enable");
  await network.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: latencyMs,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
  await page.addInitScript(() => {
    const shifts = { sum: 0, moved: [] as string[] };
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        shifts.sum += Number(Reflect.get(entry, "value"));
        for (const { node, previousRect: from, currentRect: to } of Reflect.get(entry, "sources")) {
          const overlap =
            Math.max(from.left, to.left) < Math.min(from.right, to.right) &&
            Math.max(from.top, to.top) < Math.min(from.bottom, to.bottom);
          const target = node instanceof Text ? node.parentElement : node;
          if (target instanceof Element && target.matches("button, a") && !overlap) {
            shifts.moved.push(target.outerHTML);
          }
        }
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

export function readShifts(page: Page): Promise<Shifts> {
  return page.evaluate(() => Reflect.get(window, "shifts"));
}
