// Everything that happened in an account, newest first: calls, money, sign-ins of its members, mails to them, and the
// audit log. Each kind is read from its own index; a page continues where it stopped in each of them.
import { type AccountId, formatGenerationId, type GenerationId } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import { formatUsd, parseNanos } from "@turnpike/terms";
import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { describeChanges, phraseOf } from "./describe-happening.ts";

export const timelineKinds = ["audit", "call", "mail", "money", "session"] as const;
export type TimelineKind = (typeof timelineKinds)[number];

const pageRows = 50;

/** How far each kind was read: the position of its last row that was shown. */
const positions = z.partialRecord(z.enum(timelineKinds), z.string().max(100));
type Positions = z.output<typeof positions>;

type Row = {
  at: string;
  kind: TimelineKind;
  position: string;
  title: string;
  detail: string;
  amount: string | null;
  request: GenerationId | null;
  /** Of the audit log, as JSON. */
  changes: string | null;
};

/** A cursor that this function did not return starts at the first page. */
export async function queryTimeline(
  db: Db,
  accountId: AccountId,
  asked: {
    readonly kinds?: readonly TimelineKind[] | undefined;
    readonly cursor?: string | undefined;
  },
) {
  const after = parseCursor(asked.cursor);
  const kinds = asked.kinds ?? timelineKinds;
  const lists: Row[][] = [];
  for (const kind of kinds) lists.push(await queryRows(db, sources[kind](accountId, after[kind])));
  const reached: Positions = { ...after };
  const page = takeNewest(lists, pageRows);
  for (const { kind, position } of page) reached[kind] = position;
  return {
    rows: page.map(({ position, amount, request, changes, ...row }) => ({
      ...describe(row, changes),
      id: `${row.kind} ${position}`,
      amountUsd: amount === null ? null : formatUsd(parseNanos(amount)),
      generationId: request === null ? null : formatGenerationId(request),
    })),
    next: lists.some((list) => list.length > 0) ? btoa(JSON.stringify(reached)) : null,
  };
}

/** `what` is the title in words; a model keeps its id. */
function describe({ at, kind, title, detail }: Described, changes: string | null) {
  if (kind === "call") return { at, kind, title, what: title, detail: detail.replaceAll("_", " ") };
  const words = [detail, describeChanges(JSON.parse(changes ?? "null"))].filter(Boolean);
  return { at, kind, title, what: phraseOf(title), detail: words.join(", ") };
}

type Described = Pick<Row, "at" | "kind" | "title" | "detail">;

async function queryRows(db: Db, source: SQL): Promise<Row[]> {
  const rows = await db.execute<Row>(sql`
    select to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, kind, position,
           title, detail, amount, request, changes
      from (${source}) happened (at, kind, position, title, detail, amount, request, changes)`);
  return [...rows];
}

/** Each list keeps its order: that of its index, which differs from that of the times where a clock was wrong. */
function takeNewest(lists: readonly Row[][], count: number): Row[] {
  const taken: Row[] = [];
  while (taken.length < count) {
    const [first, ...others] = lists.filter((list) => list.length > 0);
    if (first === undefined) break;
    const newest = others.reduce(
      (best, list) => ((list[0]?.at ?? "") > (best[0]?.at ?? "") ? list : best),
      first,
    );
    taken.push(...newest.splice(0, 1));
  }
  return taken;
}

function parseCursor(cursor: string | undefined): Positions {
  if (cursor === undefined) return {};
  try {
    return positions.parse(JSON.parse(atob(cursor)));
  } catch {
    return {};
  }
}

type Source = (accountId: AccountId, after: string | undefined) => SQL;

const limit = sql.raw(`limit ${pageRows + 1}`);

/**
 * Each reads at most a page of its index, newest first. The order names the table: `id` alone would be the text that is
 * selected, which has another order and no index.
 */
const sources: Readonly<Record<TimelineKind, Source>> = {
  call: (accountId, after) => sql`
    select placed_at, 'call', id::text, model,
           concat_ws(', ', status, nullif(outcome, ''), error_code), charged_nanos::text, id::text, null
      from requests r
     where account_id = ${accountId} ${after === undefined ? sql`` : sql`and id < ${after}::uuid`}
     order by r.id desc ${limit}`,
  money: (accountId, after) => sql`
    select t.created_at, 'money', e.transaction_id::text, t.kind,
           concat_ws(', ', nullif(t.reason, ''), nullif(t.actor, '')), e.amount_nanos::text, null, null
      from entries e join ledger_transactions t on t.id = e.transaction_id
     where e.account_id = ${accountId} and e.book = 'account'
           ${after === undefined ? sql`` : sql`and e.transaction_id < ${after}::uuid`}
     order by e.transaction_id desc ${limit}`,
  audit: (accountId, after) => sql`
    select at, 'audit', id::text, action,
           concat_ws(', ', nullif(object_name, ''), nullif(actor_name, '')), null, null, changes::text
      from audit_log a
     where account_id = ${accountId} ${after === undefined ? sql`` : sql`and id < ${after}::bigint`}
     order by a.id desc ${limit}`,
  session: (accountId, after) => sql`
    select e.at, 'session', e.id::text, e.kind, concat_ws(', ', p.email, nullif(e.address, '')), null, null, null
      from memberships m join persons p on p.id = m.person_id
     cross join lateral (
       select at, id, kind, address from person_events
        where person_id = m.person_id ${after === undefined ? sql`` : sql`and id < ${after}::bigint`}
        order by id desc ${limit}) e
     where m.account_id = ${accountId} order by e.id desc ${limit}`,
  mail: (accountId, after) => sql`
    select o.created_at, 'mail', o.created_at::text || ' ' || o.id, o.message ->> 'kind',
           concat_ws(', ', o.recipient, case when o.sent_at is not null then 'sent'
             when o.failed_at is not null then 'given up' else 'queued' end), null, null, null
      from memberships m join persons p on p.id = m.person_id
     cross join lateral (
       select created_at, id, message, recipient, sent_at, failed_at from outbox
        where recipient = p.email
              ${after === undefined ? sql`` : sql`and (created_at, id) < ${mailPosition(after)}`}
        order by created_at desc, id desc ${limit}) o
     where m.account_id = ${accountId} order by o.created_at desc, o.id desc ${limit}`,
};

function mailPosition(after: string): SQL {
  const id = after.slice(-36);
  return sql`(${after.slice(0, -37)}::timestamptz, ${id}::uuid)`;
}
