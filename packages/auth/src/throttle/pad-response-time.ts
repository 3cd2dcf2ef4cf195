// Lets the answer about an address that is unknown take as long as that about a known one: both wait
// until the same moment, after the longer of the two has long been done.

export async function padResponseTime<Value>(
  floorMs: number,
  work: Promise<Value>,
): Promise<Value> {
  const [settled] = await Promise.allSettled([work, Bun.sleep(floorMs)]);
  if (settled.status === "rejected") throw settled.reason;
  return settled.value;
}
