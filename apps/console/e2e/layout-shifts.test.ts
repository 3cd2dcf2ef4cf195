// What moves while a page loads. A button or a link must not slide away from beside others, below a finger; for everything
// together, cards that move as a whole among it, the bound is the one that browsers call good.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { historyTest } from "./browser-test.fixture.ts";
import { memberRoutes } from "./routes.fixture.ts";

const goodBelow = 0.1;
/** Answers come one after another, as over a network. */
const latencyMs = 100;

type Shifts = { readonly sum: number; readonly moved: readonly string[] };

async function watchShifts(page: Page): Promise<void> {
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

for (const width of [1280, 390]) {
  historyTest(
    `PERF-3 at ${width} px little moves while a page loads, and no button by itself`,
    async ({ page, context, visit, history }) => {
      const network = await context.newCDPSession(page);
      await network.send("Network.enable");
      await network.send("Network.emulateNetworkConditions", {
        offline: false,
        latency: latencyMs,
        downloadThroughput: -1,
        uploadThroughput: -1,
      });
      await watchShifts(page);
      const found = [];
      for (const { name, path } of memberRoutes(history)) {
        await visit(path);
        const { sum, moved }: Shifts = await page.evaluate(() => Reflect.get(window, "shifts"));
        if (sum >= goodBelow || moved.length > 0) found.push({ name, sum, moved });
      }
      expect(found).toEqual([]);
    },
    { width },
  );
}
