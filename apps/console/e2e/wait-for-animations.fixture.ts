// Waits until a page has come to rest. Also with reduced motion: an animation of no length starts with a frame of its own.
import type { Page } from "playwright-core";

/** Resolves once every animation and transition that ends has ended. */
export async function waitForAnimations(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const running = () =>
      document
        .getAnimations()
        .filter((it) => it.effect?.getComputedTiming().iterations !== Infinity)
        .filter(({ playState }) => playState === "running");
    // A transition that ends may start another, of what inherits its color; its last value is drawn a frame later.
    do {
      await Promise.allSettled(running().map((it) => it.finished));
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
    } while (running().length > 0);
  });
}
