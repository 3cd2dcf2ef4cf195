// Sets and removes the guardrails of an account, a project or a key, under the account's lock. The models and
// addresses of a key are limits of the key, too: `store-key-limits.ts` reads and writes these two rules.
import {
  type AccountId,
  type ApiKeyId,
  Fault,
  type GuardrailId,
  type PersonId,
  type ProjectId,
} from "@turnpike/base";
import { type AuditActor, apiKeys, type Db, guardrails, recordAudit } from "@turnpike/db";
import { formatUsd, type Nanos } from "@turnpike/terms";
import { and, eq, type SQL } from "drizzle-orm";
import { lockAccount, projectOfKey, requireOpenProject } from "../account/project.ts";
import { liveKeyOf, noSuchKey } from "../api-key/change-api-key.ts";
import { notifyKeyChange } from "../changes/notify-key-change.ts";
import { loosensGuardrail } from "../limits/loosens-limits.ts";
import { touchKeys } from "../limits/shared-limits.ts";
import { describeHours } from "./compile-guardrails.ts";
import {
  type GuardrailRules,
  type GuardrailSubject,
  hasRule,
  ruleColumns,
  ruleSelection,
  toRules,
} from "./guardrail-rules.ts";
import { writeRules } from "./write-rules.ts";

/** Who changes a guardrail, and of what they may. */
export type GuardrailEditor = {
  readonly accountId: AccountId;
  /** Only of keys that this person made. */
  readonly ownerOfKeys?: PersonId | undefined;
  /** Only of these projects and their keys. */
  readonly projectIds?: readonly ProjectId[] | undefined;
  readonly actor: AuditActor;
  /** Throws `step_up_required` unless they recently proved their identity. */
  readonly requireRecentProof: () => void;
};

/**
 * Replaces all rules of the subject. Throws `invalid_value` without a rule, `not_found`, `permission_denied` for what
 * the editor may see and not change, and `step_up_required` if the rules allow more than before.
 */
export async function setGuardrail(
  db: Db,
  editor: GuardrailEditor,
  input: GuardrailSubject & { readonly rules: GuardrailRules },
): Promise<GuardrailId> {
  const { accountId } = editor;
  const { kind, subjectId, rules } = input;
  const columns = ruleColumns(rules);
  if (!hasRule(columns)) {
    throw new Fault("invalid_value", "Set at least one rule, or remove the guardrail.", {
      param: "rules",
    });
  }
  const id = await db.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const name = await lockSubject(tx, editor, input);
    const [found] = await tx
      .select(ruleSelection)
      .from(guardrails)
      .where(
        and(
          eq(guardrails.accountId, accountId),
          eq(guardrails.kind, kind),
          eq(guardrails.subjectId, subjectId),
        ),
      );
    const before = found === undefined ? {} : toRules(found);
    if (loosensGuardrail(before, rules)) editor.requireRecentProof();
    const written = await writeRules(tx, accountId, input, columns);
    await touchKeys(tx, accountId, keysRuledBy(input));
    const object = { id: written, name };
    const changes = changesOf(before, rules);
    await recordAudit(tx, {
      accountId,
      by: editor.actor,
      action: "guardrail.set",
      object,
      changes,
    });
    return written;
  });
  await notifyKeyChange(db, kind === "key" ? keyOf(subjectId) : accountId);
  return id;
}

/** Throws `not_found`, `permission_denied` and, because it allows more than before, `step_up_required`. */
export async function removeGuardrail(
  db: Db,
  editor: GuardrailEditor,
  id: GuardrailId,
): Promise<void> {
  const { accountId } = editor;
  const row = and(eq(guardrails.accountId, accountId), eq(guardrails.id, id));
  const removed = await db.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const [found] = await tx
      .select({ kind: guardrails.kind, subjectId: guardrails.subjectId, ...ruleSelection })
      .from(guardrails)
      .where(row);
    if (found === undefined) throw noSuchGuardrail();
    const name = await lockSubject(tx, editor, found);
    editor.requireRecentProof();
    await touchKeys(tx, accountId, keysRuledBy(found));
    await tx.delete(guardrails).where(row);
    const object = { id, name };
    const changes = changesOf(toRules(found), {});
    await recordAudit(tx, {
      accountId,
      by: editor.actor,
      action: "guardrail.remove",
      object,
      changes,
    });
    return found;
  });
  await notifyKeyChange(db, removed.kind === "key" ? keyOf(removed.subjectId) : accountId);
}

/** What it is called in the audit log. Throws unless the editor may change its guardrail. */
async function lockSubject(
  tx: Db,
  editor: GuardrailEditor,
  { kind, subjectId }: GuardrailSubject,
): Promise<string> {
  const { accountId, projectIds, ownerOfKeys } = editor;
  if (kind === "key") {
    const [key] = await tx
      .select({ name: apiKeys.name })
      .from(apiKeys)
      .where(liveKeyOf({ accountId, id: keyOf(subjectId), ownerOfKeys, projectIds }))
      .for("no key update");
    if (key === undefined) throw noSuchKey();
    return `key ${key.name}`;
  }
  const isAccount = kind === "account";
  const name = isAccount
    ? "account"
    : `project ${await requireOpenProject(tx, accountId, projectOf(subjectId), projectIds)}`;
  if (isAccount && subjectId !== accountId) {
    throw new Fault("not_found", "There is no such account.", { param: "subjectId" });
  }
  if (ownerOfKeys === undefined && !(isAccount && projectIds !== undefined)) return name;
  throw new Fault(
    "permission_denied",
    `Your role does not allow changing the guardrails of the ${kind}. Ask an owner or admin of the account.`,
  );
}

/** Undefined: all of the account. */
function keysRuledBy({ kind, subjectId }: GuardrailSubject): SQL | undefined {
  return {
    account: undefined,
    project: eq(projectOfKey, projectOf(subjectId)),
    key: eq(apiKeys.id, keyOf(subjectId)),
  }[kind];
}

/** Rules that differ, before and after. */
function changesOf(before: GuardrailRules, after: GuardrailRules) {
  const [old, now] = [describeRules(before), describeRules(after)];
  const names = Object.keys({ ...old, ...now }).filter((name) => old[name] !== now[name]);
  return Object.fromEntries(
    names.map((name) => [name, [old[name] ?? null, now[name] ?? null] as const]),
  );
}

function describeRules(rules: GuardrailRules): Readonly<Record<string, string>> {
  const { allowedHours: hours } = rules;
  const texts = {
    allowedModels: rules.allowedModels?.join(", "),
    allowedProviders: rules.allowedProviders?.join(", "),
    maxInputUsdPerMillion: usdText(rules.maxInputNanos),
    maxOutputUsdPerMillion: usdText(rules.maxOutputNanos),
    maxCallUsd: usdText(rules.maxCallNanos),
    denyTraining: rules.denyTraining === true ? "true" : undefined,
    denyRetention: rules.denyRetention === true ? "true" : undefined,
    allowedAddresses: rules.allowedAddresses?.join(", "),
    allowedHours: hours && describeHours(hours),
  };
  return Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
  );
}

function usdText(amount: Nanos | undefined): string | undefined {
  return amount === undefined ? undefined : formatUsd(amount);
}

/** The subject of a guardrail of this kind is a key. */
function keyOf(subjectId: string): ApiKeyId {
  return subjectId as ApiKeyId;
}

/** The same of a project. */
function projectOf(subjectId: string): ProjectId {
  return subjectId as ProjectId;
}

function noSuchGuardrail(): Fault {
  return new Fault("not_found", "There is no such guardrail.");
}
