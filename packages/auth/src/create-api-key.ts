// A person makes a key in the console: as minting does it, but only so often an hour. What makes no
// key, a name refused or an attempt repeated, is not counted.

import type { Db } from "@turnpike/db";
import type { Auth } from "./auth.ts";
import { type MintedApiKey, mintApiKey } from "./mint-api-key.ts";
import { forgive, throttle } from "./throttle.ts";

/** Throws `throttled`, and what minting throws. */
export async function createApiKey(
  db: Db,
  auth: Auth,
  wish: Parameters<typeof mintApiKey>[1],
): Promise<MintedApiKey> {
  const bucket = `key:account:${wish.accountId}`;
  // Counted first, so that keys wished for together are counted together.
  await throttle(db, auth.throttles.keyPerAccount, bucket);
  try {
    return await mintApiKey(db, wish);
  } catch (error) {
    await forgive(db, bucket);
    throw error;
  }
}
