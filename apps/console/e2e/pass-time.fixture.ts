// Lets the timers of a page pass without waiting for them. The test installs `page.clock` before it opens the page.
import type { Locator, Page } from "playwright-core";

/** Long enough for an answer on a machine that is not busy; on a busy one the page asks once more. */
const answerMs = 500;
const asksMax = 100;

/** For a page that asks the server every `everyMs`: it asks again until it shows this. */
export async function askUntilShown(page: Page, everyMs: number, shown: Locator): Promise<void> {
  for (let asks = 0; asks < asksMax; asks += 1) {
    await page.clock.fastForward(everyMs);
    const isShown = await shown.waitFor({ timeout: answerMs }).then(
      () => true,
      () => false,
    );
    if (isShown) return;
  }
  await shown.waitFor();
}
