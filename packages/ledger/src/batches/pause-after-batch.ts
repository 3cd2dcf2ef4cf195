// How long a queue of batches pauses: before what failed is tried again, and between two batches.

const retryMinMs = 50;
const retryMaxMs = 2_000;

/** Before an item that failed is tried again. */
export function pauseAfter({ failures }: { readonly failures: number }): number {
  return Math.min(retryMaxMs, retryMinMs * 2 ** (failures - 1));
}

/**
 * After a batch of several items, so that the next one is larger: half of what it took, at most `mostMs`. What one
 * caller sends after another waits for nothing.
 */
export async function pauseAfterBatch(size: number, tookMs: number, mostMs = 0): Promise<void> {
  const pauseMs = size > 1 ? Math.min(mostMs, tookMs / 2) : 0;
  if (pauseMs >= 1) await Bun.sleep(pauseMs);
}
