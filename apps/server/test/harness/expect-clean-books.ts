// What every test that touched the server ends with: no request is open any more, and the checker
// finds nothing wrong with the money.
import { expect } from "bun:test";
import { checkBooks } from "@turnpike/ledger";
import type { TestSite } from "./start-test-server.ts";

/** The first bill that is counted loads a tokeniser: seconds on a busy machine. */
const settleWithinMs = 60_000;

/** For `afterEach`. Waits for holds that are just being settled; fails if one never is. */
export async function expectCleanBooks(site: Pick<TestSite, "owner">): Promise<void> {
  expect(await waitForSettled(site)).toBe(0);
  expect(await checkBooks(site.owner.db)).toEqual([]);
}

/** Resolves when no hold is open, or with how many still are when the wait is over. */
export async function waitForSettled({ owner }: Pick<TestSite, "owner">): Promise<number> {
  const deadline = performance.now() + settleWithinMs;
  for (;;) {
    const [row] = await owner.sql<{ open: number }[]>`
      select count(*)::int as open from requests where state = 'open'`;
    const open = row?.open ?? 0;
    if (open === 0 || performance.now() > deadline) return open;
    await Bun.sleep(10);
  }
}
