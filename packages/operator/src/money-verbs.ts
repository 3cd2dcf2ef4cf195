// What an operator asks about money: who and what brings it in, what it costs, the state of the books, and the close of a
// month.

import type { AccountId } from "@turnpike/base";
import { Fault, parseId } from "@turnpike/base";
import { accounts, type Book, type Db, jobRuns, memberships, persons, topUps } from "@turnpike/db";
import {
  type JournalLine,
  type MoneyRow,
  moneyGroups,
  moneyOrders,
  monthOf,
  queryClose,
  queryJournal,
  queryMoney,
} from "@turnpike/reports";
import { formatUsd, type Nanos, toNanos, writeCsv } from "@turnpike/terms";
import { and, desc, eq, gt, inArray, isNotNull, or, sql } from "drizzle-orm";
import { z } from "zod";
import { daysInput } from "./inputs.ts";
import { listOwing } from "./list-owing.ts";
import { everyone, finance, query } from "./verb.ts";

const dayMs = 86_400_000;
const daysMax = 400;
const rowsMax = 500;

export const monthInput = z
  .string()
  .refine((text) => monthOf(text) !== undefined, "Give a month such as 2026-11.");

export const moneyVerbs = {
  report: query({
    roles: everyone,
    summary:
      "revenue, cost, margin, shortfall and free calls, by day, model, provider, route or account",
    input: {
      by: z.enum(moneyGroups).optional(),
      order: z.enum(moneyOrders).optional(),
      days: daysInput(daysMax),
      limit: z.number().int().min(1).max(rowsMax).optional(),
    },
    async run({ db }, _, { by = "day", order = "revenue", days = 30, limit = rowsMax }) {
      const to = new Date();
      // Whole days.
      const from = new Date(Math.floor(to.getTime() / dayMs) * dayMs - (days - 1) * dayMs);
      const report = await queryMoney(db, { from, to, by, order, limit });
      const labels = by === "account" ? await queryLabels(db, report.rows) : undefined;
      return {
        from: from.toISOString(),
        to: to.toISOString(),
        coveredFrom: report.coveredFrom?.toISOString() ?? null,
        total: presentRow(report.total),
        rows: report.rows.map((row) => ({
          ...presentRow(row),
          label: labels?.get(row.name) ?? row.name,
        })),
      };
    },
  }),
  topups: query({
    roles: everyone,
    summary: "the newest top-ups, and those that were refunded or disputed",
    input: { reversed: z.boolean().optional() },
    run: async ({ db }, _, { reversed = false }) => ({ topUps: await listTopUps(db, reversed) }),
  }),
  books: query({
    roles: everyone,
    summary: "what the last check of the books found",
    input: {},
    run: ({ db }) => queryBooksState(db),
  }),
  owing: query({
    roles: everyone,
    summary: "accounts with a credit limit or a balance below zero, the largest debt first",
    input: {},
    run: ({ db }) => listOwing(db),
  }),
  close: query({
    roles: finance,
    summary:
      "a month of the ledger: balances, movements, revenue and shortfall, and a journal as CSV",
    input: { month: monthInput },
    run: ({ db }, _, { month }) => closeMonth(db, month),
  }),
};

/** Margin compares only calls whose cost is known. Without a known cost it is null, not zero. */
function presentRow(row: MoneyRow) {
  const { revenueNanos, shortfallNanos, knownRevenueNanos, costNanos, firstByteMs, ...counts } =
    row;
  const marginNanos = toNanos(knownRevenueNanos - costNanos);
  const usd = isCostUnknown(row) ? () => null : formatUsd;
  return {
    ...counts,
    revenueUsd: formatUsd(revenueNanos),
    costUsd: usd(costNanos),
    marginUsd: usd(marginNanos),
    marginPercent: percentOf(marginNanos, knownRevenueNanos),
    shortfallUsd: formatUsd(shortfallNanos),
    firstByteMs,
  };
}

function isCostUnknown({ costedCalls, knownCalls }: MoneyRow): boolean {
  return costedCalls > 0 && knownCalls === 0;
}

function percentOf(part: Nanos, whole: Nanos): number | null {
  return whole === 0n ? null : Number((part * 1_000n) / whole) / 10;
}

/** The names of accounts and the addresses of their owners, by id. */
async function queryLabels(db: Db, rows: readonly MoneyRow[]) {
  const ids = rows.flatMap(({ name }) => parseId<AccountId>(name) ?? []);
  if (ids.length === 0) return new Map<string, string>();
  const owner = db
    .select({ email: sql<string>`min(${persons.email})` })
    .from(memberships)
    .innerJoin(persons, eq(persons.id, memberships.personId))
    .where(and(eq(memberships.accountId, accounts.id), eq(memberships.role, "owner")));
  const named = await db
    .select({ id: accounts.id, name: accounts.name, email: sql<string | null>`(${owner})` })
    .from(accounts)
    .where(inArray(accounts.id, ids));
  return new Map<string, string>(
    named.map(({ id, name, email }) => [
      id,
      email === null || email === name ? name : `${name}, ${email}`,
    ]),
  );
}

const topUpRowsMax = 100;

async function listTopUps(db: Db, isReversed: boolean) {
  const rows = await db
    .select({
      id: topUps.id,
      accountId: topUps.accountId,
      account: accounts.name,
      state: topUps.state,
      amountNanos: topUps.amountNanos,
      creditedNanos: topUps.creditedNanos,
      reversedNanos: topUps.reversedNanos,
      disputedNanos: topUps.disputedNanos,
      evidenceDueAt: topUps.evidenceDueAt,
      paymentIntentId: topUps.paymentIntentId,
      failureReason: topUps.failureReason,
      createdAt: topUps.createdAt,
      updatedAt: topUps.updatedAt,
    })
    .from(topUps)
    .innerJoin(accounts, eq(accounts.id, topUps.accountId))
    .where(
      isReversed
        ? or(
            gt(topUps.reversedNanos, toNanos(0n)),
            eq(topUps.state, "quarantined"),
            isNotNull(topUps.evidenceDueAt),
          )
        : undefined,
    )
    // What has a deadline first; ids are in order of time.
    .orderBy(...(isReversed ? [sql`${topUps.evidenceDueAt} nulls last`] : []), desc(topUps.id))
    .limit(topUpRowsMax);
  return rows.map((row) => ({
    id: row.id,
    accountId: row.accountId,
    account: row.account,
    state: row.state,
    amountUsd: formatUsd(row.amountNanos),
    creditedUsd: formatUsd(row.creditedNanos),
    refundedUsd: formatUsd(toNanos(row.reversedNanos - row.disputedNanos)),
    disputedUsd: formatUsd(row.disputedNanos),
    evidenceDueAt: row.evidenceDueAt?.toISOString() ?? null,
    paymentIntentId: row.paymentIntentId,
    failureReason: row.failureReason,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }));
}

async function queryBooksState(db: Db) {
  const [run] = await db
    .select({
      startedAt: jobRuns.startedAt,
      finishedAt: jobRuns.finishedAt,
      error: jobRuns.error,
      result: jobRuns.result,
    })
    .from(jobRuns)
    .where(eq(jobRuns.name, "check books"));
  const violations = z.record(z.string(), z.number()).safeParse(run?.result).data ?? {};
  return {
    checkedAt: run?.finishedAt?.toISOString() ?? null,
    startedAt: run?.startedAt.toISOString() ?? null,
    error: run?.error ?? null,
    violations: Object.entries(violations).map(([check, rows]) => ({ check, rows })),
  };
}

/** The ledger's books as accounts of a chart, in the order of the journal. */
const chart: Readonly<Record<Book, readonly [code: string, name: string]>> = {
  stripe_clearing: ["1100", "Stripe clearing"],
  refunds: ["1110", "Refunds paid by Stripe"],
  disputes: ["1120", "Disputes withdrawn by Stripe"],
  account: ["2100", "Customer balances"],
  usage_revenue: ["4000", "Usage revenue"],
  adjustments: ["5100", "Adjustments"],
  shortfall: ["5200", "Shortfall"],
};

async function closeMonth(db: Db, text: string) {
  const month = monthOf(text);
  if (month === undefined) throw new Fault("invalid_value", "This is not a month.");
  const lines = await queryJournal(db, month);
  const close = await queryClose(db, month, lines);
  const { rows } = await queryMoney(db, {
    ...month,
    by: "provider",
    order: "cost",
    limit: rowsMax,
  });
  return {
    month: text,
    isOver: month.to <= new Date(),
    openingUsd: formatUsd(close.openingNanos),
    closingUsd: formatUsd(close.closingNanos),
    revenueUsd: formatUsd(close.revenueNanos),
    shortfallUsd: formatUsd(close.shortfallNanos),
    movements: close.movements.map(({ kind, nanos }) => ({ kind, usd: formatUsd(nanos) })),
    providers: rows.map((row) => ({
      provider: row.name,
      costUsd: isCostUnknown(row) ? null : formatUsd(row.costNanos),
    })),
    journal: writeJournal(lines),
  };
}

const header = ["date", "journal", "account", "name", "description", "debit", "credit"];

/** Amounts in USD with all their decimals: rounded ones would not balance. */
function writeJournal(lines: readonly JournalLine[]): string {
  const cells = lines.map(({ date, kind, book, debitNanos, creditNanos }) => {
    const [code, name] = chart[book];
    const [debit, credit] = [debitNanos, creditNanos].map((nanos) =>
      nanos === 0n ? "" : formatUsd(nanos),
    );
    return [
      date,
      `${date}-${kind}`,
      code,
      name,
      `Turnpike ${kind.replace("_", " ")}`,
      debit ?? "",
      credit ?? "",
    ];
  });
  return writeCsv(header, cells);
}
