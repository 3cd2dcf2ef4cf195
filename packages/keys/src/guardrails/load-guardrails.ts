// Reads which guardrails apply to a key, or to calls without a key: the account's, those of the project, and the key's.
import { type AccountId, defaultProjectOf } from "@turnpike/base";
import { accounts, type Db, guardrails, projects } from "@turnpike/db";
import { and, eq, or } from "drizzle-orm";
import { compileGuardrails, type Guardrails, type OwnedRules } from "./compile-guardrails.ts";
import { ruleSelection, toRules } from "./guardrail-rules.ts";

/** What a query of keys selects besides the key: a row for each guardrail of it, or one with nulls. */
export const guardrailSelection = {
  timeZone: accounts.timeZone,
  projectName: projects.name,
  guardrail: { kind: guardrails.kind, ...ruleSelection },
} as const;

type LoadedGuardrail = {
  readonly name: string;
  readonly timeZone: string;
  readonly projectName: string | null;
  readonly guardrail:
    | (Pick<typeof guardrails.$inferSelect, "kind"> & Parameters<typeof toRules>[0])
    | null;
};

/** From the rows of one key. */
export function guardrailsOfRows(rows: readonly LoadedGuardrail[]): Guardrails | undefined {
  const owned = rows.flatMap(({ guardrail, name, projectName }): OwnedRules[] => {
    if (guardrail === null) return [];
    const { kind } = guardrail;
    const owner = { kind, name: kind === "project" ? (projectName ?? "") : name };
    return [{ owner, rules: toRules(guardrail) }];
  });
  // The account's come first: of equally strict rules, the one that binds most calls is named.
  const order = ["account", "project", "key"];
  owned.sort((a, b) => order.indexOf(a.owner.kind) - order.indexOf(b.owner.kind));
  return compileGuardrails(owned, rows[0]?.timeZone ?? "UTC");
}

/** For calls without a key, which belong to the default project. */
export async function queryGuardrails(
  db: Db,
  accountId: AccountId,
): Promise<Guardrails | undefined> {
  const projectId = defaultProjectOf(accountId);
  const rows = await db
    .select(guardrailSelection)
    .from(guardrails)
    .innerJoin(accounts, eq(accounts.id, guardrails.accountId))
    .leftJoin(
      projects,
      and(eq(projects.accountId, guardrails.accountId), eq(projects.id, guardrails.subjectId)),
    )
    .where(
      and(
        eq(guardrails.accountId, accountId),
        or(
          and(eq(guardrails.kind, "account"), eq(guardrails.subjectId, accountId)),
          and(eq(guardrails.kind, "project"), eq(guardrails.subjectId, projectId)),
        ),
      ),
    );
  return guardrailsOfRows(rows.map((row) => ({ ...row, name: "" })));
}
