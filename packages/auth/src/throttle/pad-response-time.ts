// Makes the answer for an unknown address take as long as that for a known one: both wait for the same
// time, longer than either of them needs.

export async function padResponseTime<Value>(
  floorMs: number,
  work: Promise<Value>,
): Promise<Value> {
  const [settled] = await Promise.allSettled([work, Bun.sleep(floorMs)]);
  if (settled.status === "rejected") throw settled.reason;
  return settled.value;
}
