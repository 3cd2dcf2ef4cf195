// What is known of one call: its row of `requests`, but for what the ledger and the database say of its money. Made once,
// when the caller is known, completed as the call goes on, and written when it ends, however that is.
import type { PersonId } from "@turnpike/base";
import { type RequestRow, requests } from "@turnpike/db";
import { getTableColumns } from "drizzle-orm";

/** The ledger, or the function that writes the row, sets these. */
export const postedColumns = [
  "instanceId",
  "leaseId",
  "state",
  "heldNanos",
  "costNanos",
  "chargedNanos",
  "shortfallNanos",
  "transactionId",
  "placedAt",
  "endedAt",
  "attemptModel",
  "attemptStartedMs",
  "attemptWaitedMs",
] as const satisfies readonly (keyof RequestRow)[];

export type CallFacts = Omit<RequestRow, (typeof postedColumns)[number]> & {
  /** Who calls without a key, which has no column: the database knows who made a key. */
  personId?: PersonId | undefined;
};

/** Whose call it is. Everything else is as the table has it where nothing is known. */
type Identity = Pick<CallFacts, "id" | "accountId" | "keyId">;

export function createCallFacts(known: Identity & Partial<CallFacts>): CallFacts {
  return { ...unknownFacts, ...known };
}

const unknownFacts = defaultFacts();

/** What the table writes into each column that a statement does not name: every other column but those of the identity. */
function defaultFacts(): Omit<CallFacts, keyof Identity> {
  const posted = new Set<string>(postedColumns);
  const columns = Object.entries(getTableColumns(requests)).filter(([name]) => !posted.has(name));
  const defaults = columns.map(([name, column]) => [name, column.default ?? null] as const);
  return Object.fromEntries(defaults) as Omit<CallFacts, keyof Identity>;
}
