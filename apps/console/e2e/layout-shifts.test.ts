// What moves while a page loads: buttons must not slide away below a finger. By the browser's own measure, whose
// boundary for a good page is 0.1.
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
        const [first] = Reflect.get(entry, "sources");
        shifts.moved.push(String(first?.node?.textContent?.slice(0, 40)));
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

historyTest(
  "PERF-3 what loads on a page pushes nothing else away",
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
    for (const { name, path } of memberRoutes(history)) {
      await visit(path);
      const { sum, moved }: Shifts = await page.evaluate(() => Reflect.get(window, "shifts"));
      expect({ name, moved: sum < goodBelow ? [] : moved }).toEqual({ name, moved: [] });
    }
  },
);
