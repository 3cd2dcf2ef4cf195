// Waits until a top-up is in a state, or throws with the one it stayed in.
import type { TopUpId } from "@turnpike/base";
import type { TestSite } from "../harness/index.ts";

const waitMs = 60_000;

export async function waitForState(
  { owner }: Pick<TestSite, "owner">,
  topUpId: TopUpId,
  state: string,
): Promise<string> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const [row] = await owner.sql<{ state: string }[]>`
      select state from top_ups where id = ${topUpId}`;
    const found = row?.state ?? "missing";
    if (found === state || performance.now() > deadline) return found;
    await Bun.sleep(10);
  }
}
