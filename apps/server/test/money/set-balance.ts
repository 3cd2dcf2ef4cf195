// Takes money from an account behind the back of every server: straight through `post_movement`, as
// a refund would, so that whatever a process remembers of the balance is wrong.
import { type AccountId, newId, toNanos } from "@turnpike/base";
import { postMovement } from "@turnpike/ledger";
import { readMoney, type TestSite } from "../harness/index.ts";

/** Leaves exactly `nanos` in the account, which must have that much and nothing held. */
export async function drainTo(
  site: Pick<TestSite, "owner">,
  accountId: AccountId,
  nanos: bigint,
): Promise<void> {
  const { balanceNanos, heldNanos } = await readMoney(site, accountId);
  if (heldNanos !== 0n) throw new Error(`${heldNanos} nano-dollars are still held`);
  await postMovement(site.owner.db, {
    accountId,
    amountNanos: toNanos(nanos - balanceNanos),
    kind: "adjustment",
    book: "adjustments",
    idempotencyKey: `test:${newId<AccountId>()}`,
    reason: "test",
    actor: "test",
  });
}
