// The end of every run: what the books say was charged is exactly what the calls cost, nothing is
// held any more, and the checker finds nothing.
import { connectDatabase } from "@turnpike/db";
import { checkBooks } from "@turnpike/ledger";
import type { Bill } from "./bill.ts";
import { fundedNanos } from "./fund-accounts.ts";

export type Books = {
  /** Calls the load generator saw answered, and what they must cost. */
  calls: number;
  expectedNanos: string;
  settled: number;
  chargedNanos: string;
  /** How much less the accounts have than they were given. */
  spentNanos: string;
  heldNanos: string;
  violations: number;
  /** Calls that broke off, which the books may have charged or not. */
  unknownCalls: number;
  proven: boolean;
};

const checkTimeoutMs = 120_000;

/** Call it when Turnpike has ended: its leases are closed then, and the accounts have all they spent. */
export async function verifyLedger(
  ownerUrl: string,
  bill: Bill,
  mustHaveCalls = true,
): Promise<Books> {
  const connection = connectDatabase({
    url: ownerUrl,
    max: 1,
    applicationName: "turnpike bench",
    statementTimeoutMs: checkTimeoutMs,
  });
  try {
    const [requests] = await connection.sql<{ settled: number; charged: string }[]>`
      select count(*)::int as settled, coalesce(sum(charged_nanos), 0)::text as charged
        from requests where state = 'settled'`;
    const [accounts] = await connection.sql<{ spent: string; held: string }[]>`
      select (count(*) * ${fundedNanos.toString()}::bigint - sum(balance_nanos))::text as spent,
             sum(held_nanos)::text as held
        from accounts where name like 'bench-%'`;
    const violations = await checkBooks(connection.db);
    const books = {
      calls: bill.calls,
      expectedNanos: bill.nanos.toString(),
      settled: requests?.settled ?? 0,
      chargedNanos: requests?.charged ?? "",
      spentNanos: accounts?.spent ?? "",
      heldNanos: accounts?.held ?? "",
      violations: violations.length,
      unknownCalls: bill.unknownCalls,
    };
    return { ...books, proven: isProven(books) && (books.calls > 0 || !mustHaveCalls) };
  } finally {
    await connection.close();
  }
}

/** Books that only calls of an unknown price keep from being proven are not called wrong. */
export function verdictOf(books: Books): string {
  if (books.proven) return "proven";
  const isSound =
    books.violations === 0 &&
    books.heldNanos === "0" &&
    books.chargedNanos === books.spentNanos &&
    books.settled >= books.calls &&
    books.settled <= books.calls + books.unknownCalls;
  return isSound && books.unknownCalls > 0
    ? `not proven, because ${books.unknownCalls} calls broke off and their price is unknown`
    : "WRONG";
}

function isProven(books: Omit<Books, "proven">): boolean {
  return (
    books.settled === books.calls &&
    books.chargedNanos === books.expectedNanos &&
    books.spentNanos === books.expectedNanos &&
    books.heldNanos === "0" &&
    books.violations === 0
  );
}
