// Limits how many links that do not exist one network address may try. Links that work, or once
// did, cost nothing.

import { Fault } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import { addressBucket } from "./address-bucket.ts";
import type { Auth, Caller } from "./auth.ts";
import { forgive, throttle } from "./throttle.ts";

/** Runs `use`, whose `token_expired` counts as a guess. Throws `throttled`. */
export async function guardToken<Value>(
  db: Db,
  auth: Auth,
  caller: Caller,
  use: () => Promise<Value>,
): Promise<Value> {
  const bucket = `token:address:${addressBucket(caller.address)}`;
  // Counted first, so that guesses sent together are counted together.
  await throttle(db, auth.throttles.tokenPerAddress, bucket);
  try {
    const value = await use();
    await forgive(db, bucket);
    return value;
  } catch (error) {
    if (!(error instanceof Fault && error.code === "token_expired")) await forgive(db, bucket);
    throw error;
  }
}
