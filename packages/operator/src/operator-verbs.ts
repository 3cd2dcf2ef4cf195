// Who operates this installation: granted, revoked, listed, and what they did that concerns no account.
import { parseEmail } from "@turnpike/accounts";
import { Fault, type PersonId } from "@turnpike/base";
import {
  type Db,
  factors,
  type LedgerProver,
  type OperatorRole,
  operatorLog,
  operatorRoles,
  operators,
  persons,
} from "@turnpike/db";
import { and, asc, desc, eq, isNotNull, sql } from "drizzle-orm";
import { z } from "zod";
import { emailInput } from "./inputs.ts";
import { recordAction } from "./record-action.ts";
import { lockOperators } from "./require-operator.ts";
import { command, everyone, owners, query } from "./verb.ts";

export const operatorVerbs = {
  list: query({
    roles: everyone,
    summary: "who operates this installation, in which role",
    input: {},
    run: async ({ db }) => ({ operators: await listOperators(db) }),
  }),
  log: query({
    roles: everyone,
    summary: "what operators did that concerns no account, newest first",
    input: {
      before: z
        .string()
        .regex(/^\d{1,18}$/)
        .optional(),
    },
    run: ({ db }, _, { before }) => queryLog(db, before),
  }),
  grant: command({
    roles: owners,
    label: "Make an operator",
    summary: "makes a person an operator, or changes the role of one; they need a second factor",
    input: { email: emailInput, role: z.enum(operatorRoles) },
    async run({ db, ownerDb = db, billing }, by, { email, role, reason }) {
      await ownerDb.transaction(async (tx) => {
        await lockOperators(tx);
        const person = await requirePerson(tx, email);
        assertOther(by.personId, person.id);
        if (person.deletionDueAt !== null) {
          const message = `${person.email} is about to be deleted: cancel the deletion first.`;
          throw new Fault("conflict", message, { param: "email" });
        }
        const before = await setOperator(
          tx,
          { personId: person.id, role },
          by,
          billing.proveMovement,
        );
        const changes = { role: [before, role] } as const;
        const entry = { action: "operator.grant", object: person.email, reason, changes };
        await recordAction(tx, by, entry);
      });
      return { email, role };
    },
  }),
  revoke: command({
    roles: owners,
    label: "End the role of an operator",
    summary: "takes the role of an operator away, from their next request on",
    input: { email: emailInput },
    async run({ db, ownerDb = db }, by, { email, reason }) {
      await ownerDb.transaction(async (tx) => {
        await lockOperators(tx);
        const person = await requirePerson(tx, email);
        assertOther(by.personId, person.id);
        const [revoked] = await tx
          .delete(operators)
          .where(eq(operators.personId, person.id))
          .returning({ role: operators.role });
        if (revoked === undefined) {
          throw new Fault("not_found", `${person.email} is no operator.`, { param: "email" });
        }
        const changes = { role: [revoked.role, null] } as const;
        const entry = { action: "operator.revoke", object: person.email, reason, changes };
        await recordAction(tx, by, entry);
      });
      return { email };
    },
  }),
};

async function listOperators(db: Db) {
  const theirs = db
    .select({ id: factors.id })
    .from(factors)
    .where(and(eq(factors.personId, operators.personId), isNotNull(factors.confirmedAt)));
  const rows = await db
    .select({
      email: persons.email,
      name: persons.name,
      role: operators.role,
      hasFactor: sql<boolean>`exists ${theirs}`,
      grantedBy: operators.grantedBy,
      grantedAt: operators.grantedAt,
    })
    .from(operators)
    .innerJoin(persons, eq(persons.id, operators.personId))
    .orderBy(asc(persons.email));
  return rows.map((row) => ({ ...row, grantedAt: row.grantedAt.toISOString() }));
}

const logPageRows = 50;

async function queryLog(db: Db, before: string | undefined) {
  const rows = await db
    .select({
      id: operatorLog.id,
      at: operatorLog.at,
      operator: operatorLog.actorName,
      action: operatorLog.action,
      object: operatorLog.object,
      reason: operatorLog.reason,
      changes: operatorLog.changes,
    })
    .from(operatorLog)
    .where(before === undefined ? undefined : sql`${operatorLog.id} < ${before}::bigint`)
    .orderBy(desc(operatorLog.id))
    .limit(logPageRows + 1);
  const page = rows.slice(0, logPageRows);
  return {
    rows: page.map(({ id, at, ...row }) => ({
      ...row,
      id: id.toString(),
      at: at.toISOString(),
    })),
    next: rows.length > logPageRows ? (page.at(-1)?.id.toString() ?? null) : null,
  };
}

async function requirePerson(tx: Db, email: string) {
  const address = parseEmail(email);
  const [person] = await tx
    .select({ id: persons.id, email: persons.email, deletionDueAt: persons.deletionDueAt })
    .from(persons)
    .where(eq(persons.email, address));
  if (person !== undefined) return person;
  throw new Fault("not_found", `Nobody signs in as ${address}.`, { param: "email" });
}

function assertOther(byId: PersonId | undefined, id: PersonId): void {
  if (byId !== id) return;
  throw new Fault("conflict", "Another owner has to change your own role.", { param: "email" });
}

/** Returns the former role. Throws what PostgreSQL says to those who are no owner. */
async function setOperator(
  tx: Db,
  { personId, role }: { readonly personId: PersonId; readonly role: OperatorRole },
  by: { readonly name: string; readonly personId?: PersonId },
  prove: LedgerProver | undefined,
): Promise<OperatorRole | null> {
  const proof = prove?.("operator", by.personId ?? "", personId, role) ?? null;
  const [row] = await tx.execute<{ former: OperatorRole | null }>(sql`
    select set_operator(${personId}::uuid, ${role}, ${by.personId ?? null}::uuid, ${by.name},
                        ${proof}::bytea) as former`);
  return row?.former ?? null;
}
