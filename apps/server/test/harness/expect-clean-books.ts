// The final check of every test that used the server: no call is running any more, and the checker
// finds nothing wrong with the money.
import { expect } from "bun:test";
import { checkBooks } from "@turnpike/ledger";
import type { TestServer, TestSite } from "./start-test-server.ts";

/** The running calls of a server in this process are known; of other servers, only what they hold. */
type Site = Pick<TestSite, "owner"> & Partial<Pick<TestServer, "services">>;

/** The first bill that is counted loads a tokenizer: seconds on a busy machine. */
const settleWithinMs = 60_000;

/** For `afterEach`. Waits for holds that are being settled; fails if one never is. */
export async function expectCleanBooks(site: Site): Promise<void> {
  expect(await waitForSettled(site)).toBe(0);
  expect(await checkBooks(site.owner.db)).toEqual([]);
}

/** Resolves when nothing is held, or with the amount still held after the wait. */
export async function waitForSettled({ owner, services }: Site): Promise<number> {
  const deadline = performance.now() + settleWithinMs;
  for (;;) {
    const open = services?.ledger.running() ?? (await countHolding(owner));
    if (open === 0 || performance.now() > deadline) return open;
    await Bun.sleep(10);
  }
}

/** Accounts with reserved money: idle leases return it within seconds. */
async function countHolding(owner: TestSite["owner"]): Promise<number> {
  const [row] = await owner.sql<{ holding: number }[]>`
    select count(*)::int as holding from account_money where held_nanos <> 0`;
  return row?.holding ?? 0;
}
