// Tells those who answer for the money of an account of a day (UTC) that costs far more than usual: once a day, with the
// key and the model that cost most. It reads only what calls were added up to, and moves nothing.
import { accountPath } from "@turnpike/accounts";
import type { AccountId } from "@turnpike/base";
import { type AuditActor, accounts, type Db, recordAudit } from "@turnpike/db";
import { queueMail } from "@turnpike/mail";
import { formatUsd, type Nanos, parseNanos, toNanos } from "@turnpike/terms";
import { eq, sql } from "drizzle-orm";
import { queryMoneyEmails } from "./query-money-emails.ts";

/**
 * A day is unusual when it cost at least this much, and more than twice the costliest of the 14 days before. An
 * account that spent on fewer than three of them has no usual day.
 */
const floorNanos = toNanos(10_000_000_000n);
const timesUsual = 2;
const daysBefore = 14;
const daysSpentMin = 3;
const accountsMax = 200;

export async function queryTellsUnusualSpend(db: Db, accountId: AccountId): Promise<boolean> {
  const [account] = await db
    .select({ tells: accounts.tellsUnusualSpend })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  return account?.tells ?? false;
}

export async function setTellsUnusualSpend(
  db: Db,
  accountId: AccountId,
  tells: boolean,
  by: AuditActor,
): Promise<void> {
  await db.transaction(async (tx) => {
    const before = await queryTellsUnusualSpend(tx, accountId);
    await tx.update(accounts).set({ tellsUnusualSpend: tells }).where(eq(accounts.id, accountId));
    const changes = { mail: [before ? "on" : "off", tells ? "on" : "off"] } as const;
    await recordAudit(tx, { accountId, by, action: "account.set_unusual_spend_mail", changes });
  });
}

/** Returns how many accounts were told. `publicUrl` is the base of the links in mails. */
export async function alertUnusualSpend(
  db: Db,
  publicUrl: string,
  now = new Date(),
): Promise<number> {
  const day = now.toISOString().slice(0, 10);
  let told = 0;
  let after = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const slice = await findCostly(db, day, after);
    for (const { id, spent } of slice) {
      const usualNanos = await queryUsual(db, id, day);
      const spentNanos = parseNanos(spent);
      if (usualNanos === undefined || spentNanos <= BigInt(timesUsual) * usualNanos) continue;
      const unusual = { id, day, spentNanos, usualNanos };
      if (await db.transaction((tx) => tellOf(tx, unusual, publicUrl))) told += 1;
    }
    const last = slice.at(-1);
    if (last === undefined || slice.length < accountsMax) return told;
    after = last.id;
  }
}

/** The accounts that were not told of this day and spent the floor on it, in order. */
function findCostly(db: Db, day: string, after: string) {
  return db.execute<{ id: AccountId; spent: string }>(sql`
    select u.account_id as id, sum(u.charged_nanos)::text as spent
      from usage_quarter_hours u join accounts a on a.id = u.account_id
     where u.quarter >= ${day}::timestamp at time zone 'utc'
       and u.quarter < (${day}::timestamp + interval '1 day') at time zone 'utc'
       and u.account_id > ${after}::uuid and a.tells_unusual_spend and a.closed_at is null
       and (a.unusual_spend_told_on is null or a.unusual_spend_told_on < ${day}::date)
     group by u.account_id having sum(u.charged_nanos) >= ${`${floorNanos}`}::bigint
     order by u.account_id limit ${accountsMax}`);
}

/** What the costliest of the days before cost; undefined without a usual day. */
async function queryUsual(db: Db, id: AccountId, day: string): Promise<Nanos | undefined> {
  const [usual] = await db.execute<{ days: number; most: string }>(sql`
    select count(*)::int as days, coalesce(max(spent), 0)::text as most
      from (select sum(charged_nanos) as spent from usage_blocks
             where account_id = ${id} and minutes = 1440
               and quarter >= (${day}::timestamp - ${daysBefore} * interval '1 day') at time zone 'utc'
               and quarter < ${day}::timestamp at time zone 'utc'
             group by quarter having sum(charged_nanos) > 0) spent_on`);
  if (usual === undefined || usual.days < daysSpentMin) return undefined;
  return parseNanos(usual.most);
}

type Unusual = {
  readonly id: AccountId;
  readonly day: string;
  readonly spentNanos: Nanos;
  readonly usualNanos: Nanos;
};

/** False if another instance told of it meanwhile, or it was turned off. */
async function tellOf(tx: Db, unusual: Unusual, publicUrl: string): Promise<boolean> {
  const { id, day, spentNanos, usualNanos } = unusual;
  const [account] = await tx
    .update(accounts)
    .set({ unusualSpendToldOn: day })
    .where(
      sql`${accounts.id} = ${id} and ${accounts.tellsUnusualSpend} and ${accounts.closedAt} is null
        and (${accounts.unusualSpendToldOn} is null or ${accounts.unusualSpendToldOn} < ${day}::date)`,
    )
    .returning({ kind: accounts.kind, slug: accounts.slug });
  if (account === undefined) return false;
  const [key, model] = [await queryMost(tx, id, day, "key"), await queryMost(tx, id, day, "model")];
  for (const email of await queryMoneyEmails(tx, id)) {
    await queueMail(tx, email, {
      kind: "unusual_spend",
      day,
      spentUsd: formatUsd(spentNanos),
      usualUsd: formatUsd(usualNanos),
      keyName: key.name,
      keyUsd: key.usd,
      model: model.name,
      modelUsd: model.usd,
      link: `${publicUrl}${accountPath(account)}/usage`,
    });
  }
  return true;
}

/** The key or the model that cost most on this day. */
async function queryMost(tx: Db, id: AccountId, day: string, by: "key" | "model") {
  const name = by === "key" ? sql`coalesce(k.name, 'Playground')` : sql`u.model`;
  const group = by === "key" ? sql`u.key_id, k.name` : sql`u.model`;
  const [most] = await tx.execute<{ name: string; spent: string }>(sql`
    select ${name} as name, sum(u.charged_nanos)::text as spent
      from usage_quarter_hours u
      left join api_keys k on k.account_id = u.account_id and k.id = u.key_id
     where u.account_id = ${id} and u.quarter >= ${day}::timestamp at time zone 'utc'
       and u.quarter < (${day}::timestamp + interval '1 day') at time zone 'utc'
     group by ${group} order by sum(u.charged_nanos) desc, 1 limit 1`);
  return { name: most?.name ?? "", usd: formatUsd(parseNanos(most?.spent ?? "0")) };
}
