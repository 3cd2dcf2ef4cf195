// T6: random histories of payments, reported by Stripe in any order, more than once, in part or not at all,
// to two concurrent workers. However it is reported, the books match Stripe's. An ordinary run plays forty times one to
// three histories; what each kind of event does is in the tests beside this one.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { runsOf, type ScriptedStripeEvent, searchTimeoutMs } from "@turnpike/testing";
import fc from "fast-check";
import { workInbox } from "../inbox/work-inbox.ts";
import { openTestBilling, type TestBilling } from "../open-test-billing.fixture.ts";
import { reconcile } from "../reconciliation/reconcile.ts";

setDefaultTimeout(searchTimeoutMs);

const nanosPerCent = 10_000_000n;
const runs = runsOf({ short: 40, long: 1_000 });

let site: TestBilling;

beforeAll(async () => {
  site = await openTestBilling();
});
afterAll(() => site.close());

type Step =
  | { readonly kind: "refund"; readonly part: number }
  | { readonly kind: "fail-refund" }
  | { readonly kind: "dispute"; readonly part: number }
  | { readonly kind: "withdraw" | "won" | "lost" };

type History = {
  readonly cents: number;
  readonly begin: "paid" | "later-paid" | "later-failed" | "unpaid" | "expired";
  readonly steps: readonly Step[];
};

const part = fc.integer({ min: 1, max: 100 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("refund" as const), part }) },
  fc.constant({ kind: "fail-refund" as const }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("dispute" as const), part }) },
  { weight: 3, arbitrary: fc.constant({ kind: "withdraw" as const }) },
  fc.constantFrom({ kind: "won" as const }, { kind: "lost" as const }),
);
const history: fc.Arbitrary<History> = fc.record({
  cents: fc.integer({ min: 500, max: 100_000 }),
  begin: fc.oneof(
    { weight: 4, arbitrary: fc.constant("paid" as const) },
    { weight: 2, arbitrary: fc.constant("later-paid" as const) },
    fc.constantFrom("later-failed" as const, "unpaid" as const, "expired" as const),
  ),
  steps: fc.array(step, { maxLength: 6 }),
});
/** How an event is delivered: how often, and by which number it is sorted among the others. */
const delivery = fc.record({ copies: fc.integer({ min: 0, max: 3 }), rank: fc.integer() });

/** Each run has a new Stripe, or every reconciliation would read all earlier runs. */
async function forgetPast(): Promise<void> {
  site.stripe.books.events.length = 0;
  site.stripe.books.sessions.clear();
  await site.owner.sql`
    update top_ups set state = 'canceled' where state in ('created', 'pending', 'processing')`;
}

/**
 * Plays a history at Stripe, calling `between` after each step; returns what the account should then
 * have of it.
 */
async function play(
  sessionId: string,
  { cents, begin, steps }: History,
  between: () => Promise<void>,
): Promise<bigint> {
  const { stripe } = site;
  if (begin === "unpaid") return 0n;
  if (begin === "expired") {
    stripe.expire(sessionId);
    return 0n;
  }
  const intent = begin === "paid" ? stripe.pay(sessionId) : stripe.payLater(sessionId);
  await between();
  if (begin === "later-failed") stripe.settle(sessionId, "failed");
  if (begin === "later-paid") stripe.settle(sessionId, "succeeded");
  if (begin === "later-failed") return 0n;
  let refunded = 0;
  let lastRefund: { id: string; cents: number } | undefined;
  let open: { id: string; cents: number; withdrawn: boolean } | undefined;
  let disputed = 0;
  for (const { kind, ...rest } of steps) {
    await between();
    const share = "part" in rest ? rest.part : 0;
    if (kind === "refund") {
      const amount = Math.floor(((cents - refunded) * share) / 100);
      if (amount === 0) continue;
      lastRefund = { id: stripe.refund(intent, amount), cents: amount };
      refunded += amount;
    } else if (kind === "fail-refund" && lastRefund !== undefined) {
      stripe.failRefund(lastRefund.id);
      refunded -= lastRefund.cents;
      lastRefund = undefined;
    } else if (kind === "dispute" && open === undefined) {
      const amount = Math.max(1, Math.floor((cents * share) / 100));
      open = { id: stripe.dispute(intent, amount), cents: amount, withdrawn: false };
    } else if (kind === "withdraw" && open?.withdrawn === false) {
      stripe.withdrawFunds(open.id);
      open.withdrawn = true;
      disputed += open.cents;
    } else if ((kind === "won" || kind === "lost") && open !== undefined) {
      if (kind === "won" && open.withdrawn) {
        stripe.reinstateFunds(open.id);
        disputed -= open.cents;
      }
      stripe.closeDispute(open.id, kind);
      open = undefined;
    }
  }
  return BigInt(Math.max(0, cents - refunded - disputed)) * nanosPerCent;
}

type Delivery = { readonly copies: number; readonly rank: number };

/**
 * Delivers events as often and in the order that `deliveries` says, then processes them in two
 * concurrent workers.
 */
async function deliver(
  events: readonly ScriptedStripeEvent[],
  deliveries: readonly Delivery[],
): Promise<void> {
  const told = events.flatMap((event, index) => {
    const { copies, rank } = deliveries[index % deliveries.length] ?? { copies: 1, rank: 0 };
    return Array.from({ length: copies }, (_, copy) => ({ event, rank: rank * (copy + 1) }));
  });
  told.sort((a, b) => a.rank - b.rank);
  for (const { event } of told) await site.receive(event);
  // The same events to two concurrent workers, as after a claim that expired.
  await site.owner.sql`
    update stripe_inbox set done_at = null, next_attempt_at = now()
     where done_at is not null and payload <> '{}' and random() < 0.3`;
  await workTwice();
}

async function workTwice(): Promise<void> {
  const { db } = site.app;
  await Promise.all([workInbox(db, site.billing), workInbox(db, site.billing)]);
}

/** Workers that run while the history continues, each at the step that `turns` names. */
function openMeanwhile(turns: readonly boolean[]) {
  const working: Promise<void>[] = [];
  let turn = 0;
  return {
    async between() {
      const isTurn = turns[turn % turns.length] ?? false;
      turn += 1;
      if (!isTurn) return;
      for (const event of site.stripe.events) await site.receive(event);
      working.push(workTwice());
    },
    ended: () => Promise.all(working),
  };
}

test("T6: however Stripe reports a history, the balance matches Stripe's", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(history, { minLength: 1, maxLength: 3 }),
      fc.array(delivery, { minLength: 1, maxLength: 12 }),
      fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
      async (histories, deliveries, turns) => {
        const payer = await site.newPayer();
        await forgetPast();
        const meanwhile = openMeanwhile(turns);
        let expected = 0n;
        for (const one of histories) {
          const amountUsd = `${Math.floor(one.cents / 100)}.${String(one.cents % 100).padStart(2, "0")}`;
          const { sessionId } = await site.start(payer, amountUsd);
          expected += await play(sessionId, one, meanwhile.between);
        }
        await deliver(site.stripe.events, deliveries);
        await meanwhile.ended();
        const { db } = site.app;
        // What was delivered during processing, or never, is found by reconciliation.
        await Promise.all([reconcile(db, site.billing), reconcile(db, site.billing)]);
        expect(await site.balance(payer)).toBe(expected);
        expect(await site.check()).toEqual([]);
      },
    ),
    { numRuns: runs, endOnFailure: true },
  );
});
