// The guardrails of an account, as its members see them: those of the account and its projects, and those of the
// keys that they see.
import type { AccountId, GuardrailId, PersonId, ProjectId } from "@turnpike/base";
import { accounts, apiKeys, type Db, guardrails, projects } from "@turnpike/db";
import { and, eq, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import { projectOfKey } from "../account/project.ts";
import {
  type GuardrailRules,
  type GuardrailSubject,
  ruleSelection,
  toRules,
} from "./guardrail-rules.ts";

export type Guardrail = GuardrailSubject & {
  readonly id: GuardrailId;
  /** Empty for the account. */
  readonly subjectName: string;
  readonly rules: GuardrailRules;
};

/** What a member may see: `ownerOfKeys` only of their keys, `projectIds` only of these projects and their keys. */
export type GuardrailScope = {
  readonly accountId: AccountId;
  readonly ownerOfKeys?: PersonId | undefined;
  readonly projectIds?: readonly ProjectId[] | undefined;
};

/** The account's first, then projects and keys, each by name; not of keys that are revoked. */
export async function listGuardrails(
  db: Db,
  { accountId, ownerOfKeys, projectIds }: GuardrailScope,
): Promise<{ readonly timeZone: string; readonly guardrails: readonly Guardrail[] }> {
  const [account] = await db
    .select({ timeZone: accounts.timeZone })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  const name = sql<string>`coalesce(${projects.name}, ${apiKeys.name}, '')`;
  const rows = await db
    .select({
      id: guardrails.id,
      kind: guardrails.kind,
      subjectId: guardrails.subjectId,
      subjectName: name,
      ...ruleSelection,
    })
    .from(guardrails)
    .leftJoin(
      projects,
      and(
        eq(guardrails.kind, "project"),
        eq(projects.accountId, guardrails.accountId),
        eq(projects.id, guardrails.subjectId),
      ),
    )
    .leftJoin(
      apiKeys,
      and(
        eq(guardrails.kind, "key"),
        eq(apiKeys.accountId, guardrails.accountId),
        eq(apiKeys.id, guardrails.subjectId),
        isNull(apiKeys.revokedAt),
        ownerOfKeys === undefined ? undefined : eq(apiKeys.createdBy, ownerOfKeys),
        projectIds === undefined ? undefined : inArray(projectOfKey, [...projectIds]),
      ),
    )
    .where(
      and(
        eq(guardrails.accountId, accountId),
        or(
          eq(guardrails.kind, "account"),
          projectIds === undefined ? isNotNull(projects.id) : inArray(projects.id, [...projectIds]),
          isNotNull(apiKeys.id),
        ),
      ),
    )
    .orderBy(
      sql`array_position(array['account', 'project', 'key'], ${guardrails.kind})`,
      sql`lower(${name})`,
      guardrails.subjectId,
    );
  return {
    timeZone: account?.timeZone ?? "UTC",
    guardrails: rows.map(({ id, kind, subjectId, subjectName, ...rules }) => ({
      id,
      kind,
      subjectId,
      subjectName,
      rules: toRules(rules),
    })),
  };
}
