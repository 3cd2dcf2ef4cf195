// Takes money from an account without any server noticing: directly through
// `post_movement`, like a refund, so that whatever a process remembers of the balance is wrong.
import { type AccountId, newId, toNanos } from "@turnpike/base";
import { postMovement } from "@turnpike/ledger";
import { readMoney, type TestSite } from "../harness/index.ts";
import { eventually } from "./read-requests.ts";

type Site = Pick<TestSite, "owner">;

/** Leaves exactly `nanos` in the account, once its idle leases have returned what they had reserved. */
export async function drainTo(site: Site, accountId: AccountId, nanos: bigint): Promise<void> {
  const { balanceNanos } = await eventually("idle money to come back", async () => {
    const money = await readMoney(site, accountId);
    return money.heldNanos === 0n && money;
  });
  await withdraw(site, accountId, balanceNanos - nanos);
}

/** Takes `nanos` regardless of what is reserved: an account that no longer covers that is frozen. */
export async function withdraw(site: Site, accountId: AccountId, nanos: bigint): Promise<void> {
  await postMovement(site.owner.db, {
    accountId,
    amountNanos: toNanos(-nanos),
    kind: "adjustment",
    book: "adjustments",
    idempotencyKey: `test:${newId<AccountId>()}`,
    reason: "test",
    actor: "test",
  });
}
