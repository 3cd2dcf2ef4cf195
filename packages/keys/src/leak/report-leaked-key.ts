// A key was seen where no key should be: it is revoked, or its owner is warned, as the account says. Anyone who reports it
// learns nothing about it; the owner gets a mail, the account an entry in its audit log and an event.
import type { AccountId } from "@turnpike/base";
import {
  apiKeys,
  auditLog,
  type Db,
  managementKeys,
  memberships,
  persons,
  queueWebhook,
  recordAudit,
} from "@turnpike/db";
import { queueMail } from "@turnpike/mail";
import { and, eq, gt, or, sql } from "drizzle-orm";
import { notifyKeyChange } from "../changes/notify-key-change.ts";
import { findLeakedKey, findLiveKeys, type LeakedKey } from "./find-leaked-key.ts";

export type LeakReport = {
  /** The key, with a valid checksum. */
  readonly text: string;
  /** Where it was seen, e.g. the address of a public repository; null if that is not known. */
  readonly foundAt: string | null;
  /** `prompt`: in a request of another key, which went to a provider. It is never revoked for that. */
  readonly seenIn: "public" | "prompt";
  /** The client's address; empty for a prompt. */
  readonly address: string;
};

/** Without a trailing slash. */
export type LeakOptions = { readonly publicUrl: string };

/**
 * Anyone may send many invented keys: one statement finds those that work, and only each of these costs a transaction.
 * Stops between two of them when `signal` is aborted. Does nothing for a key whose owner was warned within a day. One that
 * fails delays no other: its error is thrown once all were looked at.
 */
export async function reportLeakedKeys(
  db: Db,
  options: LeakOptions,
  reports: readonly LeakReport[],
  signal?: AbortSignal,
): Promise<void> {
  if (signal?.aborted) return;
  const texts = reports.map(({ text }) => text);
  const live = new Set(await findLiveKeys(db, texts));
  const failures: unknown[] = [];
  for (const report of reports) {
    if (signal?.aborted) break;
    if (!live.has(report.text)) continue;
    try {
      await reportLeakedKey(db, options, report);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

async function reportLeakedKey(
  db: Db,
  { publicUrl }: LeakOptions,
  report: LeakReport,
): Promise<void> {
  const key = await db.transaction(async (tx) => {
    const found = await findLeakedKey(tx, report.text);
    if (found === undefined) return undefined;
    const revokes = report.seenIn === "public" && found.account.revokesLeakedKeys;
    if (!revokes && (await wasWarned(tx, found, report))) return undefined;
    if (revokes) await revoke(tx, found);
    await record(tx, found, report, revokes);
    await mailOwners(tx, found, report, { revokes, publicUrl });
    return revokes ? found : undefined;
  });
  if (key?.kind === "api") await notifyKeyChange(db, key.id);
}

/** Of the previous secret of a key only that secret: the present one is not known to anyone. */
async function revoke(tx: Db, key: LeakedKey): Promise<void> {
  const now = sql`clock_timestamp()`;
  if (key.kind === "management") {
    await tx.update(managementKeys).set({ revokedAt: now }).where(eq(managementKeys.id, key.id));
    return;
  }
  const ended = key.isPrevious
    ? { previousHash: null, previousUntil: null, changedAt: now }
    : { revokedAt: now, changedAt: now };
  await tx.update(apiKeys).set(ended).where(eq(apiKeys.id, key.id));
}

function actionOf({ kind }: LeakedKey, { seenIn }: LeakReport): string {
  const noun = kind === "api" ? "key" : "management_key";
  return `${noun}.${seenIn === "public" ? "leaked" : "seen_in_prompt"}`;
}

async function wasWarned(tx: Db, key: LeakedKey, report: LeakReport): Promise<boolean> {
  const rows = await tx
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.accountId, key.accountId),
        eq(auditLog.action, actionOf(key, report)),
        eq(auditLog.objectId, key.id),
        gt(auditLog.at, sql`now() - interval '1 day'`),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

async function record(tx: Db, key: LeakedKey, report: LeakReport, revoked: boolean): Promise<void> {
  const { accountId, id, name } = key;
  const { foundAt, seenIn, address } = report;
  const actorName = seenIn === "public" ? "leak report" : "prompt check";
  await recordAudit(tx, {
    accountId,
    by: { kind: "system", name: actorName, address },
    action: actionOf(key, report),
    object: { id, name },
    changes: {
      revoked: [null, revoked ? "yes" : "no"],
      ...(foundAt !== null && { found_at: [null, foundAt] as const }),
    },
  });
  const data = {
    key: { id, name },
    found_at: foundAt ?? (seenIn === "prompt" ? "prompt" : null),
    revoked,
  };
  await queueWebhook(tx, accountId, { type: "key.leaked", data });
}

/** Who created it, if they still belong to the account, and the owners of the account. */
async function mailOwners(
  tx: Db,
  key: LeakedKey,
  { foundAt, seenIn }: LeakReport,
  { revokes, publicUrl }: { readonly revokes: boolean; readonly publicUrl: string },
): Promise<void> {
  const { account } = key;
  const base = account.kind === "organization" ? `/a/${account.slug}` : "";
  const page = key.kind === "api" ? `/keys/${key.id}` : "/settings/management-keys";
  const link = `${publicUrl}${base}${page}`;
  const seen = { accountName: account.name, keyName: key.name, masked: key.masked, link };
  for (const email of await queryRecipients(tx, key.accountId, key)) {
    await queueMail(
      tx,
      email,
      seenIn === "prompt"
        ? { kind: "key_in_prompt", ...seen }
        : { kind: revokes ? "leaked_key_revoked" : "leaked_key_found", ...seen, foundAt },
    );
  }
}

async function queryRecipients(
  tx: Db,
  accountId: AccountId,
  { createdBy }: Pick<LeakedKey, "createdBy">,
): Promise<readonly string[]> {
  const isCreator = createdBy === null ? undefined : eq(memberships.personId, createdBy);
  const people = await tx
    .select({ email: persons.email })
    .from(memberships)
    .innerJoin(persons, eq(persons.id, memberships.personId))
    .where(and(eq(memberships.accountId, accountId), or(eq(memberships.role, "owner"), isCreator)));
  return people.map(({ email }) => email);
}
