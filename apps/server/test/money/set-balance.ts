// Takes money from an account without any server noticing: directly through
// `post_movement`, like a refund, so that whatever a process remembers of the balance is wrong.
import { type AccountId, newId } from "@turnpike/base";
import { postMovement } from "@turnpike/ledger";
import { toNanos } from "@turnpike/terms";
import { awaitReleased, readMoney, type TestSite } from "../harness/index.ts";

type Site = Pick<TestSite, "owner">;

/** Leaves exactly `nanos` in the account, once its idle leases have returned what they had reserved. */
export async function drainTo(site: Site, accountId: AccountId, nanos: bigint): Promise<void> {
  await awaitReleased(site, accountId);
  const { balanceNanos } = await readMoney(site, accountId);
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
