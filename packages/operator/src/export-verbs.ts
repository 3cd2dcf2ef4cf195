// The archive of an account for an operator who was asked for it: the record that they get it comes first, and is what
// gives it to them.
import { type AccountId, Fault, parseId } from "@turnpike/base";
import { auditLog, type Db, recordAudit } from "@turnpike/db";
import { and, eq, gt, sql } from "drizzle-orm";
import { type NamedAccount, queryAccount } from "./account/query-account.ts";
import { accountInput } from "./inputs.ts";
import { actorOf, command, type Operator, owners } from "./verb.ts";

/** How long after the record the archive can be downloaded. */
const downloadMinutes = 10;
const exported = "account.export";

export const exportVerbs = {
  export: command({
    // Stored prompts are in it, which operators see nowhere else.
    roles: owners,
    label: "Export data",
    summary: "everything stored about an account, prompts included, as the archive its owner gets",
    input: { account: accountInput },
    writesFile: true,
    async run({ db, delivery }, by, { account: named, reason }) {
      const account = await queryAccount(db, named);
      const deliver = await delivery.archive(account);
      await db.transaction((tx) =>
        recordAudit(tx, { accountId: account.id, by: actorOf(by, reason), action: exported }),
      );
      return { accountId: account.id, ...(await deliver()) };
    },
  }),
};

/** The account whose export this operator has just recorded. Throws `invalid_value`, `not_found` and `conflict`. */
export async function requireRecordedExport(
  db: Db,
  by: Operator,
  text: string | null,
): Promise<NamedAccount> {
  const id = parseId<AccountId>(text ?? "");
  if (id === undefined) throw new Fault("invalid_value", "Not an id.", { param: "account" });
  const account = await queryAccount(db, id);
  const [recorded] = await db
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.accountId, id),
        eq(auditLog.action, exported),
        eq(auditLog.actorKind, "operator"),
        eq(auditLog.actorName, by.name),
        gt(auditLog.at, sql`now() - make_interval(mins => ${downloadMinutes}::int)`),
      ),
    )
    .limit(1);
  if (recorded !== undefined) return account;
  throw new Fault("conflict", "Export the account at the desk first, with a reason.");
}
