// Limits how many links that do not exist one network address may try. Links that exist are never
// delayed, so guesses do not slow down others on the same network.

import { deadLink, throttle } from "@turnpike/accounts";
import { customerNetwork } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import type { Auth, Caller } from "../auth.ts";
import { isTokenKnown } from "./email-token.ts";

/** Runs `use` if the link was ever mailed. Throws `token_expired` and `throttled`. */
export async function guardToken<Value>(
  db: Db,
  auth: Auth,
  { caller, token }: { readonly caller: Caller; readonly token: string },
  use: () => Promise<Value>,
): Promise<Value> {
  if (await isTokenKnown(db, token)) return use();
  const bucket = `token:address:${customerNetwork(caller.address)}`;
  await throttle(db, auth.throttles.tokenPerAddress, bucket);
  throw deadLink();
}
