// The rate limits that the calls of a project or of an account have in common: read with each key, and set by
// members.
import { type AccountId, defaultProjectOf, Fault, type ProjectId } from "@turnpike/base";
import {
  type AuditActor,
  accounts,
  apiKeys,
  type Db,
  type PriceTerm,
  projects,
  recordAudit,
} from "@turnpike/db";
import { and, eq, type SQL, sql } from "drizzle-orm";
import { lockAccount } from "../account/project.ts";
import { notifyKeyChange } from "../changes/notify-key-change.ts";
import { type RateLimits, type SharedLimits, toRates } from "./key-limits.ts";

const rateNames = ["requestsPerMinute", "tokensPerMinute", "concurrency"] as const;
const auditNames = {
  requestsPerMinute: "requests_per_minute",
  tokensPerMinute: "tokens_per_minute",
  concurrency: "concurrency",
} as const satisfies Record<keyof RateLimits, string>;

const ratesOf = ({
  requestsPerMinute,
  tokensPerMinute,
  concurrency,
}: typeof accounts | typeof projects) => ({ requestsPerMinute, tokensPerMinute, concurrency });

/** The columns `toSharedLimits` reads. */
export const sharedSelection = {
  projectId: projects.id,
  projectRates: ratesOf(projects),
  accountRates: ratesOf(accounts),
  priceTerms: accounts.priceTerms,
} as const;

type RateColumns = { readonly [Name in keyof RateLimits]-?: number | null };

export function toSharedLimits(row: {
  readonly projectId: ProjectId;
  readonly projectRates: RateColumns;
  readonly accountRates: RateColumns;
  readonly priceTerms: readonly PriceTerm[] | null;
}): SharedLimits {
  const { projectId, projectRates, accountRates, priceTerms } = row;
  return {
    projectId,
    project: toRates(projectRates),
    account: toRates(accountRates),
    ...(priceTerms !== null && { priceTerms }),
  };
}

/** Of calls without a key, which belong to the default project. */
export async function queryKeylessLimits(db: Db, accountId: AccountId): Promise<SharedLimits> {
  const [row] = await db
    .select(sharedSelection)
    .from(accounts)
    .innerJoin(
      projects,
      and(eq(projects.accountId, accounts.id), eq(projects.id, defaultProjectOf(accountId))),
    )
    .where(eq(accounts.id, accountId));
  if (row === undefined) throw new Fault("not_found", "There is no such account.");
  return toSharedLimits(row);
}

/** Null is unlimited. */
export async function queryAccountRates(db: Db, accountId: AccountId): Promise<RateColumns> {
  const [row] = await db.select(ratesOf(accounts)).from(accounts).where(eq(accounts.id, accountId));
  if (row === undefined) throw new Fault("not_found", "There is no such account.");
  return row;
}

/** Null removes a limit; what is absent stays. */
export type RateChange = { readonly [Name in keyof RateLimits]?: number | null | undefined };

type Editor = { readonly accountId: AccountId; readonly by: AuditActor };

/** Every instance applies them to its next calls. */
export async function setAccountRates(
  db: Db,
  { accountId, by }: Editor,
  change: RateChange,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [before] = await tx
      .select(ratesOf(accounts))
      .from(accounts)
      .where(eq(accounts.id, accountId))
      .for("no key update");
    if (before === undefined) throw new Fault("not_found", "There is no such account.");
    const after = changed(before, change);
    await tx.update(accounts).set(after).where(eq(accounts.id, accountId));
    await touchKeys(tx, accountId);
    const changes = changesOf(before, after);
    await recordAudit(tx, { accountId, by, action: "account.change", changes });
  });
  await notifyKeyChange(db, accountId);
}

/** The same of a project. Throws `not_found`. */
export async function setProjectRates(
  db: Db,
  { accountId, by }: Editor,
  id: ProjectId,
  change: RateChange,
): Promise<void> {
  const chosen = and(eq(projects.accountId, accountId), eq(projects.id, id));
  await db.transaction(async (tx) => {
    // Before keys, as acquisitions do.
    await lockAccount(tx, accountId);
    const [before] = await tx
      .select({ name: projects.name, ...ratesOf(projects) })
      .from(projects)
      .where(chosen)
      .for("no key update");
    if (before === undefined) throw new Fault("not_found", "There is no such project.");
    const after = changed(before, change);
    await tx.update(projects).set(after).where(chosen);
    await touchKeys(tx, accountId);
    const object = { id, name: before.name };
    const changes = changesOf(before, after);
    await recordAudit(tx, { accountId, by, action: "project.change", object, changes });
  });
  await notifyKeyChange(db, accountId);
}

function changed(before: RateColumns, change: RateChange): RateColumns {
  const of = (name: keyof RateLimits) => (change[name] === undefined ? before[name] : change[name]);
  return {
    requestsPerMinute: of("requestsPerMinute"),
    tokensPerMinute: of("tokensPerMinute"),
    concurrency: of("concurrency"),
  };
}

/**
 * Locks the keys of the account, or `only` these, and tells instances that poll that they changed; `notifyKeyChange`
 * follows the commit.
 */
export async function touchKeys(tx: Db, accountId: AccountId, only?: SQL): Promise<void> {
  await tx
    .update(apiKeys)
    .set({ changedAt: sql`clock_timestamp()` })
    .where(and(eq(apiKeys.accountId, accountId), only));
}

function changesOf(before: RateColumns, after: RateColumns) {
  return Object.fromEntries(
    rateNames
      .filter((name) => before[name] !== after[name])
      .map((name) => [
        auditNames[name],
        [before[name]?.toString() ?? null, after[name]?.toString() ?? null] as const,
      ]),
  );
}
