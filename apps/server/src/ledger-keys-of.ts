// What LEDGER_KEY says: which keys prove movements of money to the database, and which of them is this server's.
import { createLedgerProver, type LedgerProver } from "@turnpike/db";
import type { Config } from "./config.ts";

type LedgerSettings = Pick<Config, "LEDGER_KEY">;

/** Undefined leaves the database as it is; none of them means that nothing has to be proven. */
export function ledgerKeysOf({ LEDGER_KEY: keys }: LedgerSettings): readonly string[] | undefined {
  return keys === "none" ? [] : keys?.split(",");
}

/** With the first key. */
export function ledgerProverOf(settings: LedgerSettings): LedgerProver | undefined {
  const [first] = ledgerKeysOf(settings) ?? [];
  return first === undefined ? undefined : createLedgerProver(first);
}

/** For installations that take money. */
export const describeUnproven =
  "no LEDGER_KEY in the database: its password alone is enough to credit top-ups";
