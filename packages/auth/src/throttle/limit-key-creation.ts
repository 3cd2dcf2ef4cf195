// Limits how many API keys an account may create per hour. Attempts that create no key, because the
// name was refused or the attempt was a repetition, are not counted.
import type { AccountId } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import type { Auth } from "../auth.ts";
import { forgive, throttle } from "./throttle.ts";

/** Runs `create` unless the account has reached its hourly limit. Throws `throttled`. */
export async function limitKeyCreation<Created>(
  db: Db,
  auth: Auth,
  accountId: AccountId,
  create: () => Promise<Created>,
): Promise<Created> {
  const bucket = `key:account:${accountId}`;
  // Counted before the attempt, so that concurrent attempts are counted together.
  await throttle(db, auth.throttles.keyPerAccount, bucket);
  try {
    return await create();
  } catch (error) {
    await forgive(db, bucket);
    throw error;
  }
}
