// Limits that are counted in the memory of each process are divided among the live instances, so that
// together they never allow more than the owner of a key set.

import type { AccountId, ApiKeyId } from "@turnpike/base";
import type { InstanceShare } from "@turnpike/ledger";

/** The one instance there is. */
export const onlyInstance: InstanceShare = { instances: 1, rank: 0 };

/**
 * How many of `limit` requests at once this instance may run. Each instance gets the whole quotient;
 * each unit of the remainder goes to one of them, chosen by the id, so that the shares of all
 * instances add up to the limit. Zero on the others where the limit is below their number.
 */
export function shareCount(
  limit: number,
  id: AccountId | ApiKeyId,
  { instances, rank }: InstanceShare,
): number {
  const place = (rank + readNumber(id)) % instances;
  return Math.floor(limit / instances) + (place < limit % instances ? 1 : 0);
}

/**
 * The part of a rate per minute that this instance may grant. A bucket refills continuously, so the
 * quotient needs no rounding; it would never hold a whole request where it is below one, so there
 * `limit` of the instances grant one each and the others nothing.
 */
export function shareRate(limit: number, id: ApiKeyId, share: InstanceShare): number {
  return limit >= share.instances ? limit / share.instances : shareCount(limit, id, share);
}

/** Evenly distributed, and the same in every instance: the last 32 bits of a UUIDv7 are random. */
function readNumber(id: AccountId | ApiKeyId): number {
  return Number.parseInt(id.slice(-8), 16);
}
