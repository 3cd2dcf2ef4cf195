// The final check of every test that used the server: no call is running any more, and the checker
// finds nothing wrong with the money.
import { expect } from "bun:test";
import type { AccountId } from "@turnpike/base";
import { checkBooks, recallChannelName } from "@turnpike/ledger";
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
    const open = services?.ledger.running() ?? (await recallHeld(owner)).length;
    if (open === 0 || performance.now() > deadline) return open;
    await Bun.sleep(10);
  }
}

/** Resolves when nothing is held for the account; fails if something still is after the wait. */
export async function awaitReleased({ owner }: Site, accountId: AccountId): Promise<void> {
  const deadline = performance.now() + settleWithinMs;
  while ((await recallHeld(owner)).includes(accountId)) {
    if (performance.now() > deadline) throw new Error(`money of ${accountId} is still held`);
    await Bun.sleep(10);
  }
}

/**
 * Accounts with reserved money. Every server is asked for what its leases do not use, as it is before a refund:
 * by itself it returns that once a lease has been idle for two seconds.
 */
export async function recallHeld(owner: TestSite["owner"]): Promise<readonly AccountId[]> {
  const rows = await owner.sql<{ id: AccountId }[]>`
    select account_id as id,
           pg_notify(${recallChannelName}, concat_ws(' ', 'recall', account_id, gen_random_uuid()))
      from account_money where held_nanos <> 0`;
  return rows.map(({ id }) => id);
}
