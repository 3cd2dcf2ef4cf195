// Presses "Try again" on a page until everything that had failed is shown.
import type { Page } from "playwright-core";

/** Until nothing is broken: first what an open sheet shows, then what it covers. */
export async function tryAgain(page: Page): Promise<void> {
  const broken = page.getByText("Couldn't load");
  const sheet = page.getByRole("dialog");
  const name = "Try again";
  while ((await broken.count()) > 0) {
    const isCovered = (await sheet.count()) > 0;
    const again = (isCovered ? sheet : page).getByRole("button", { name });
    if (isCovered && (await again.count()) === 0) {
      await page.keyboard.press("Escape");
      await sheet.waitFor({ state: "detached" });
      continue;
    }
    // More may fail meanwhile, before it in the document, too: so it is this one that is clicked, and they are not counted.
    const first = await again.first().elementHandle();
    await first?.evaluate(click);
    await first?.waitForElementState("hidden");
  }
}

/** Also of an element that has just been removed. */
function click(element: Element): void {
  if (element instanceof HTMLElement) element.click();
}
