// What every test that touched the server ends with: no call is running any more, and the checker
// finds nothing wrong with the money.
import { expect } from "bun:test";
import { checkBooks } from "@turnpike/ledger";
import type { TestServer, TestSite } from "./start-test-server.ts";

/** With the server of this process its running calls are known; of others, what they hold. */
type Site = Pick<TestSite, "owner"> & Partial<Pick<TestServer, "services">>;

/** The first bill that is counted loads a tokeniser: seconds on a busy machine. */
const settleWithinMs = 60_000;

/** For `afterEach`. Waits for holds that are just being settled; fails if one never is. */
export async function expectCleanBooks(site: Site): Promise<void> {
  expect(await waitForSettled(site)).toBe(0);
  expect(await checkBooks(site.owner.db)).toEqual([]);
}

/** Resolves when nothing is held, or with how much still is when the wait is over. */
export async function waitForSettled({ owner, services }: Site): Promise<number> {
  const deadline = performance.now() + settleWithinMs;
  for (;;) {
    const open = services?.ledger.running() ?? (await countHolding(owner));
    if (open === 0 || performance.now() > deadline) return open;
    await Bun.sleep(10);
  }
}

/** Accounts with money reserved: idle leases give it back within seconds. */
async function countHolding(owner: TestSite["owner"]): Promise<number> {
  const [row] = await owner.sql<{ holding: number }[]>`
    select count(*)::int as holding from account_money where held_nanos <> 0`;
  return row?.holding ?? 0;
}
