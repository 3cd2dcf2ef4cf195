// How much of a limit that all instances share this one may grant while the database does not answer.
import type { AnyId } from "@turnpike/base";
import type { InstanceShare } from "@turnpike/ledger";

/**
 * How much of `limit` this instance may grant. Each instance gets the whole quotient;
 * each unit of the remainder goes to one of them, chosen by the id, so that the shares of all
 * instances add up to the limit. If the limit is below their number, it is zero on the others.
 */
export function shareCount(limit: number, id: AnyId, { instances, rank }: InstanceShare): number {
  if (instances === 1) return limit;
  const place = (rank + parseIdNumber(id)) % instances;
  return Math.floor(limit / instances) + (place < limit % instances ? 1 : 0);
}

/** Evenly distributed, and the same in every instance: the last 32 bits of a UUIDv7 are random. */
function parseIdNumber(id: AnyId): number {
  return Number.parseInt(id.slice(-8), 16);
}
