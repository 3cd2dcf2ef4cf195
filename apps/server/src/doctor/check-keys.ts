// Whether this environment has the secrets that the servers of this database have.
import { createSealer } from "@turnpike/base";
import { checkLedgerKey, type Db } from "@turnpike/db";
import { opensSigningKey } from "@turnpike/receipts";
import type { Config } from "../config.ts";
import { describeStartFailure } from "../describe-start-failure.ts";
import { describeUnproven, ledgerProverOf } from "../ledger-keys-of.ts";
import { sealerOf } from "../sealer-of.ts";
import { error, type Finding, ok, warning } from "./finding.ts";

export async function checkKeys(config: Config, db: Db): Promise<readonly Finding[]> {
  return [await checkSealingKey(config, db), ...(await checkProofs(config))];
}

/** Every server with a SEALING_KEY makes a key for receipts, unless another one has, and seals it. */
async function checkSealingKey(config: Config, db: Db): Promise<Finding> {
  const check = "sealing key";
  const sealer = sealerOf(config);
  // Without a key: one that opens nothing.
  const opens = await opensSigningKey(db, sealer ?? createSealer([""]));
  if (opens === true) return ok(check, "SEALING_KEY opens what the servers sealed.");
  const advice = "set it as the servers have it, with former keys after commas";
  if (opens === false) {
    return sealer === undefined
      ? error(check, `SEALING_KEY is not set, but servers of this database sealed; ${advice}.`)
      : error(check, `SEALING_KEY does not open what the servers sealed; ${advice}.`);
  }
  if (sealer !== undefined) return ok(check, "Nothing was sealed yet.");
  const off = "there are no webhooks, stored prompts, signed receipts or authenticator apps";
  return warning(check, `SEALING_KEY is not set, so ${off}.`);
}

async function checkProofs(config: Config): Promise<readonly Finding[]> {
  try {
    const isProven = await checkLedgerKey(config.DATABASE_URL, ledgerProverOf(config));
    if (isProven) return [ok("ledger key", "LEDGER_KEY is a key of this database.")];
  } catch (thrown) {
    return [error("ledger key", describeStartFailure(thrown))];
  }
  if (config.stripe === undefined) return [];
  return [warning("ledger key", `${describeUnproven}; set LEDGER_KEY.`)];
}
