// Leases, rows of usage, and the periods of limits end with a UTC hour: tests about them begin after its turn, not
// shortly before it. What happens at the turn itself is tested with a clock that the test sets.
const hourMs = 3_600_000;

/** Resolves immediately, or once the next UTC hour has begun if that is less than `needMs` away. */
export async function untilHourHasRoom(needMs = 30_000): Promise<void> {
  const leftMs = hourMs - (Date.now() % hourMs);
  if (leftMs < needMs) await Bun.sleep(leftMs + 1);
}
