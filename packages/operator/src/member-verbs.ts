// What an operator does about who belongs to an account.
import { parseEmail } from "@turnpike/accounts";
import { type AccountId, Fault, type PersonId } from "@turnpike/base";
import { type Db, memberships, persons } from "@turnpike/db";
import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { expelMember } from "./account/expel-member.ts";
import { queryAccount } from "./account/query-account.ts";
import { accountInput, emailInput } from "./inputs.ts";
import { actorOf, command, support } from "./verb.ts";

export const memberVerbs = {
  remove: command({
    roles: support,
    label: "Remove member",
    destroys: true,
    summary:
      "ends a membership of an organization and mails the member; their keys are revoked or kept",
    input: {
      account: accountInput,
      member: emailInput,
      keys: z.enum(["revoke", "keep"]).meta({ title: "Their API keys" }),
    },
    async run({ db }, by, { account: named, member, keys, reason }) {
      const account = await queryAccount(db, named);
      if (account.kind === "personal") {
        throw new Fault("conflict", "A personal account has one member: delete the person.");
      }
      const personId = await queryMember(db, account.id, member);
      await expelMember(db, { account, operator: actorOf(by, reason) }, { personId, keys });
      return { accountId: account.id, personId, removed: true };
    },
  }),
};

/** Throws `invalid_value` and `not_found`. */
async function queryMember(db: Db, accountId: AccountId, email: string): Promise<PersonId> {
  const address = parseEmail(email);
  const [found] = await db
    .select({ id: persons.id })
    .from(memberships)
    .innerJoin(persons, eq(persons.id, memberships.personId))
    .where(and(eq(memberships.accountId, accountId), eq(persons.email, address)));
  if (found !== undefined) return found.id;
  throw new Fault("not_found", `${address} is no member of this account.`, { param: "member" });
}
