// Limits how many API keys an account may create per hour: an organization more than a person. Attempts that create no key, because the
// name was refused or the attempt was a repetition, are not counted.

import type { Db } from "@turnpike/db";
import type { AccountContext } from "../account-context.ts";
import type { Membership } from "../member/membership.ts";
import { forgive, throttle } from "./throttle.ts";

/** Runs `create` unless the account has reached its hourly limit. Throws `throttled`. */
export async function limitKeyCreation<Created>(
  db: Db,
  context: AccountContext,
  account: Pick<Membership, "id" | "kind">,
  create: () => Promise<Created>,
): Promise<Created> {
  const bucket = `key:account:${account.id}`;
  const { keyPerAccount, keyPerOrganization } = context.throttles;
  const limit = account.kind === "organization" ? keyPerOrganization : keyPerAccount;
  // Counted before the attempt, so that concurrent attempts are counted together.
  await throttle(db, limit, bucket);
  try {
    return await create();
  } catch (error) {
    await forgive(db, bucket);
    throw error;
  }
}
