// A batch of one has its own SQL function, `charge_single_call`; its promises are those of a batch.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { noFailpoint } from "@turnpike/base";
import { toNanos } from "@turnpike/terms";
import type { Charge, Charged } from "../hold.ts";
import type { Ledger } from "../open-ledger.ts";
import {
  chargeOf,
  closeLease,
  grantOf,
  holdOf,
  openTestBooks,
  type TestBooks,
  withFacts,
} from "../open-test-books.fixture.ts";
import type { CallFacts } from "./call-facts.ts";
import { chargeCalls } from "./charge-calls.ts";

let books: TestBooks;
let ledger: Ledger;
beforeAll(async () => {
  books = await openTestBooks();
  ledger = books.openLedger();
});
afterAll(() => books.close());

function charged(verdict: Charged["verdict"], amount: bigint, shortfall = 0n): Charged {
  return { verdict, chargedNanos: toNanos(amount), shortfallNanos: toNanos(shortfall) };
}

function send(charges: readonly Charge[]) {
  const items = charges.map((charge) => ({
    charge,
    lease: charge.hold.lease,
    capNanos: charge.hold.grantedNanos,
    late: false,
  }));
  return chargeCalls(books.app.sql, items, {
    instanceId: books.instanceId,
    failpoint: noFailpoint,
  });
}

const facts: Partial<CallFacts> = {
  promptTokens: 11,
  completionTokens: 12,
  cachedTokens: 3,
  cacheWriteTokens: 5,
  cacheWrite1hTokens: 2,
  reasoningTokens: 6,
  usageDetails: { serviceTier: "flex" },
  usageSource: "upstream",
  maxTokens: 99,
  status: 201,
  outcome: "completed",
  errorCode: 'with "quotes", and \\',
  finishReason: "stop",
  nativeFinishReason: "end_turn",
  upstreamId: "upstream",
  attempts: [{ provider: "p", model: "m", status: 200, firstByteMs: 1, error: null }],
  firstByteMs: 1.5,
  overheadMs: 2.5,
  totalMs: 3.5,
};
/** What callers may send: what arrays and JSON are written with, and what PostgreSQL refuses to store. */
const app = `an "app", {with}; \\ and 'quotes'\0`;
const endUser = `user\n\0\ud83d ${"x".repeat(600)}`;
const asked = { origin: "playground", operation: "embeddings", streamed: true } as const;

async function prepare() {
  const principal = await books.newPrincipal(10_000n);
  const other = await books.newPrincipal(1_000n);
  const settle = async (cost: bigint, payer = principal) =>
    chargeOf(
      grantOf(await ledger.hold(holdOf(payer, 400n, {}, { ...asked, app, endUser }))),
      cost,
      {},
      facts,
    );
  const repeated = await settle(70n);
  await ledger.charge(repeated);
  const late = await settle(9n, other);
  await closeLease(books, late.hold);
  const released = { ...(await settle(0n)), state: "released" } as const;
  const charges = [await settle(150n), await settle(650n), released, repeated, late];
  return { ...principal, charges };
}

const own = ["account_id", "id", "key_id", "lease_id", "placed_at", "ended_at"];
async function rowsOf(charges: readonly Charge[]) {
  const rows = await Promise.all(charges.map((charge) => books.row(charge.hold.request.facts.id)));
  return rows.map((row) => row && Object.entries(row).filter(([name]) => !own.includes(name)));
}

test("a call is written and answered alone as it is in a batch", async () => {
  const [batched, single] = [await prepare(), await prepare()];
  const answers = await send(batched.charges);
  expect(answers).toEqual([
    charged("settled", 150n),
    charged("settled", 400n, 250n),
    charged("released", 0n),
    charged("already", 70n),
    "late",
  ]);
  const alone = [];
  for (const charge of single.charges) alone.push(...(await send([charge])));
  expect(alone).toEqual(answers);
  expect(await rowsOf(single.charges)).toEqual(await rowsOf(batched.charges));
  const [row] = await Promise.all(
    batched.charges.map(({ hold }) => books.row(hold.request.facts.id)),
  );
  expect(row?.app).toBe(`an "app", {with}; \\ and 'quotes'`);
  expect(row?.end_user).toBe(`user\n\ufffd ${"x".repeat(504)}`);
  const spent = [{ spent_nanos: "620", shortfall_nanos: "250", calls: 4 }];
  expect(await books.leases(batched.accountId)).toMatchObject(spent);
  expect(await books.leases(single.accountId)).toMatchObject(spent);
  await ledger.recall();
  expect(await books.check()).toEqual([]);
});

test("a call is not written against the lease of another account", async () => {
  const [payer, other] = [await books.newPrincipal(1_000n), await books.newPrincipal(1_000n)];
  const hold = grantOf(await ledger.hold(holdOf(payer, 400n)));
  const forged = withFacts(hold, { accountId: other.accountId });
  expect(await send([chargeOf(forged, 100n)])).toEqual(["late"]);
  expect(await books.row(hold.request.facts.id)).toBeUndefined();
  await ledger.charge(chargeOf(hold, 0n, { state: "released" }));
  await ledger.recall();
  expect(await books.check()).toEqual([]);
});
