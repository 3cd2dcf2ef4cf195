// Proves an address by the link that was mailed to it. A second click is told that all is well.

import { type Db, persons } from "@turnpike/db";
import { and, eq, sql } from "drizzle-orm";
import type { Auth, Caller } from "./auth.ts";
import { consumeToken, deadLink, findSpentToken } from "./email-token.ts";
import { guardToken } from "./guard-token.ts";

export type Verified = {
  readonly status: "verified" | "already_verified";
  readonly email: string;
};

/** Throws `token_expired` and, for guessers, `throttled`. */
export function verifyEmail(db: Db, auth: Auth, caller: Caller, token: string): Promise<Verified> {
  return guardToken(db, auth, caller, () =>
    db.transaction(async (tx): Promise<Verified> => {
      const consumed = await consumeToken(tx, "verify", token);
      const found = consumed ?? (await findSpentToken(tx, "verify", token));
      if (found === undefined) throw deadLink();
      const { personId, email } = found;
      const [person] = await tx
        .select({ verifiedAt: persons.emailVerifiedAt })
        .from(persons)
        .where(and(eq(persons.id, personId), eq(persons.email, email)))
        .for("update");
      if (person === undefined) throw deadLink();
      if (person.verifiedAt !== null) return { status: "already_verified", email };
      if (consumed === undefined) throw deadLink();
      await tx.update(persons).set({ emailVerifiedAt: sql`now()` }).where(eq(persons.id, personId));
      return { status: "verified", email };
    }),
  );
}
