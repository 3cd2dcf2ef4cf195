// For tests: asks for a hold while something happens to its acquisition, at a certain point of it.
import type { HoldDecision, HoldRequest } from "./hold.ts";
import type { Ledger } from "./open-ledger.ts";
import type { TestBooks } from "./open-test-books.fixture.ts";

export const acquisitionFaults = [
  "hour ends",
  "leases retired",
  "money recalled",
  "answer lost",
  "accounts locked",
] as const;

export type AcquisitionFault = (typeof acquisitionFaults)[number];

export type FaultyProcess = {
  readonly ledger: Ledger;
  aheadMs: number;
  /** Called at every failpoint of its ledger. */
  onPoint: ((name: string) => void) | undefined;
};

/** Each happens once: while the statement is in flight, or instead of its answer. */
export async function holdDuringFault(
  books: TestBooks,
  process: FaultyProcess,
  request: HoldRequest,
  fault: AcquisitionFault,
): Promise<HoldDecision> {
  try {
    if (fault === "accounts locked") return await holdWhileLocked(books, process, request);
    process.onPoint = (name) => {
      if (name !== (fault === "answer lost" ? "hold-committed" : "hold-sent")) return;
      process.onPoint = undefined;
      cause(process, fault);
    };
    return await process.ledger.hold(request);
  } finally {
    process.onPoint = undefined;
  }
}

function cause(process: FaultyProcess, fault: Exclude<AcquisitionFault, "accounts locked">): void {
  if (fault === "hour ends") process.aheadMs += 3_600_000;
  else if (fault === "leases retired") process.ledger.retireLeases();
  else if (fault === "answer lost") {
    throw Object.assign(new Error("the answer is lost"), { code: "CONNECTION_CLOSED" });
  }
  // Returns what is due while the statement is in flight.
  void process.ledger.recall();
}

/** The account is locked until a batch has been answered. */
async function holdWhileLocked(
  books: TestBooks,
  process: FaultyProcess,
  request: HoldRequest,
): Promise<HoldDecision> {
  const { deciding } = await books.owner.sql.begin(async (sql) => {
    await sql`select 1 from accounts where id = ${request.facts.accountId} for update`;
    const answered = Promise.withResolvers<void>();
    process.onPoint = (name) => {
      if (name === "hold-committed") answered.resolve();
    };
    const deciding = Promise.resolve(process.ledger.hold(request));
    await Promise.race([answered.promise, deciding]);
    return { deciding };
  });
  return deciding;
}
