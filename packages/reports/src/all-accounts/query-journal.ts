// The ledger of one month as an accountant reads it: by day and kind of movement, each book debited or credited with what
// it changed by. Debits equal credits in every entry, because the transactions they add up sum to zero.
import { accounts, type Book, type Db, type ledgerTransactions } from "@turnpike/db";
import { type Nanos, toNanos } from "@turnpike/terms";
import { sql } from "drizzle-orm";

type MovementKind = typeof ledgerTransactions.$inferSelect.kind;

export type JournalLine = {
  /** `2026-11-05`, in UTC. */
  readonly date: string;
  readonly kind: MovementKind;
  readonly book: Book;
  readonly debitNanos: Nanos;
  readonly creditNanos: Nanos;
};

export type Month = { readonly from: Date; readonly to: Date };

/** In UTC, from `2026-11`. Undefined for what is no month. */
export function monthOf(text: string): Month | undefined {
  if (!/^20\d\d-(0[1-9]|1[0-2])$/.test(text)) return undefined;
  const from = new Date(`${text}-01T00:00:00Z`);
  const to = new Date(from);
  to.setUTCMonth(to.getUTCMonth() + 1);
  return { from, to };
}

const dayMs = 86_400_000;

/** One statement a day, so that none meets its time limit. */
export async function queryJournal(db: Db, { from, to }: Month): Promise<JournalLine[]> {
  const lines: JournalLine[] = [];
  for (let at = from.getTime(); at < to.getTime() && at <= Date.now(); at += dayMs) {
    const day = { from: new Date(at), to: new Date(Math.min(at + dayMs, to.getTime())) };
    for (const { kind, book, amount } of await queryDay(db, day)) {
      const nanos = BigInt(amount);
      if (nanos === 0n) continue;
      lines.push({
        date: day.from.toISOString().slice(0, 10),
        kind,
        book,
        // A positive entry is what Turnpike owes or earns.
        debitNanos: toNanos(nanos < 0n ? -nanos : 0n),
        creditNanos: toNanos(nanos > 0n ? nanos : 0n),
      });
    }
  }
  return lines;
}

type DayRow = { readonly kind: MovementKind; readonly book: Book; readonly amount: string };

/** Ids are in order of time, as far as clocks agree. */
function queryDay(db: Db, { from, to }: Month) {
  const floor = (at: Date, days: number) =>
    sql`uuid7_floor(${new Date(at.getTime() + days * dayMs).toISOString()}::timestamptz)`;
  return db.execute<DayRow>(sql`
    select t.kind, e.book, sum(e.amount_nanos)::text as amount
      from ledger_transactions t join entries e on e.transaction_id = t.id
     where t.id >= ${floor(from, -1)} and t.id < ${floor(to, 1)}
       and t.created_at >= ${from.toISOString()}::timestamptz
       and t.created_at < ${to.toISOString()}::timestamptz
     group by t.kind, e.book order by t.kind, e.book`);
}

export type Close = {
  /** What customers had paid and not used, at both ends of the month. */
  readonly openingNanos: Nanos;
  readonly closingNanos: Nanos;
  /** What the balances changed by, by kind of movement. */
  readonly movements: readonly { readonly kind: MovementKind; readonly nanos: Nanos }[];
  readonly revenueNanos: Nanos;
  readonly shortfallNanos: Nanos;
};

/** From the balances of today and what was posted since. */
export async function queryClose(
  db: Db,
  month: Month,
  lines: readonly JournalLine[],
): Promise<Close> {
  const since = { from: month.to, to: new Date(Math.max(Date.now() + dayMs, month.to.getTime())) };
  return db.transaction(
    async (tx) => {
      const [balances] = await tx
        .select({ nanos: sql<string>`coalesce(sum(${accounts.balanceNanos}), 0)::text` })
        .from(accounts);
      const later = await queryJournal(tx, since);
      const closing = BigInt(balances?.nanos ?? 0) - sumOf(later, "account");
      const kinds = [...new Set(lines.map(({ kind }) => kind))];
      const movements = kinds.map((kind) => ({
        kind,
        nanos: toNanos(
          sumOf(
            lines.filter((line) => line.kind === kind),
            "account",
          ),
        ),
      }));
      return {
        openingNanos: toNanos(closing - sumOf(lines, "account")),
        closingNanos: toNanos(closing),
        movements,
        revenueNanos: toNanos(sumOf(lines, "usage_revenue")),
        shortfallNanos: toNanos(-sumOf(lines, "shortfall")),
      };
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

function sumOf(lines: readonly JournalLine[], book: Book): bigint {
  return lines
    .filter((line) => line.book === book)
    .reduce((sum, { debitNanos, creditNanos }) => sum + creditNanos - debitNanos, 0n);
}
