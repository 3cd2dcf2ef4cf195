// For tests: its own database, a scripted Stripe and billing on top of both; accounts to pay for,
// and the checker to run over the books afterwards.

import { accountLimits, createAccount } from "@turnpike/accounts";
import {
  type AccountId,
  type GenerationId,
  type InstanceId,
  newId,
  type PersonId,
  type PriceId,
  type TopUpId,
} from "@turnpike/base";
import { type Connection, connectDatabase } from "@turnpike/db";
import {
  checkBooks,
  createCallFacts,
  type Ledger,
  openLedger,
  recallLeases,
  type Violation,
} from "@turnpike/ledger";
import { createLog, createMetrics } from "@turnpike/telemetry";
import { toNanos } from "@turnpike/terms";
import {
  createTestDatabase,
  patientLimits,
  type ScriptedStripe,
  type ScriptedStripeEvent,
  type ScriptedStripeOptions,
  startScriptedStripe,
} from "@turnpike/testing";
import { type Billing, type BillingOptions, createBilling } from "./billing.ts";
import { receiveEvent } from "./inbox/receive-event.ts";
import { createTopUp } from "./top-up/create-top-up.ts";

export type Payer = { readonly accountId: AccountId; readonly personId: PersonId; email: string };

export type StartedPayment = { readonly topUpId: TopUpId; readonly sessionId: string };

export type TestBilling = {
  /** As the server. */
  readonly app: Connection;
  /** As the owner, bypassing the server. */
  readonly owner: Connection;
  /** For connections as the server. */
  readonly databaseUrl: string;
  readonly stripe: ScriptedStripe;
  readonly billing: Billing;
  openBilling(options?: Partial<BillingOptions>): Billing;
  newPayer(): Promise<Payer>;
  /** A top-up that waits for its payer. */
  start(payer: Payer, amountUsd: string): Promise<StartedPayment>;
  receive(event: ScriptedStripeEvent): Promise<void>;
  receiveAll(): Promise<void>;
  balance(payer: Payer): Promise<bigint>;
  /** A call that cost this much. */
  spend(payer: Payer, nanos: bigint): Promise<void>;
  check(): Promise<Violation[]>;
  close(): Promise<void>;
};

const bounds = { minNanos: toNanos(5_000_000_000n), maxNanos: toNanos(1_000_000_000_000n) };
const often = { max: 1_000_000, windowMs: 60_000 };

export async function openTestBilling(options: ScriptedStripeOptions = {}): Promise<TestBilling> {
  const database = await createTestDatabase();
  const owner = connectDatabase({ url: database.ownerUrl, max: 2, ...patientLimits });
  const app = connectDatabase({ url: database.url, max: 12 });
  const stripe = await startScriptedStripe(options);
  const meters = createMetrics();
  const log = createLog({ level: "silent", name: "test" });
  const open = (changed: Partial<BillingOptions> = {}) =>
    createBilling({
      stripe: {
        secretKey: stripe.secretKey,
        webhookSecrets: [stripe.webhookSecret],
        apiBase: stripe.url,
      },
      allowSandbox: false,
      publicUrl: "https://turnpike.example",
      bounds,
      throttles: { ...accountLimits, topUpPerPerson: often, topUpPerDay: often },
      recallLeases: (accountId) =>
        recallLeases({ db: app.db, directUrl: database.url, log }, accountId),
      log,
      meters,
      ...changed,
    });
  const billing = open();
  const instanceId = newId<InstanceId>();
  await owner.sql`insert into instances (id) values (${instanceId})`;
  const ledger = openLedger({
    url: database.url,
    instanceId,
    log,
    metrics: meters,
    admitting: () => true,
    holdMs: 60_000,
    nowMs: () => 0,
  });
  const receive = async (event: ScriptedStripeEvent) => {
    const body = JSON.stringify(event);
    await receiveEvent(app.db, billing, Buffer.from(body), await stripe.sign(body));
  };
  return {
    app,
    owner,
    databaseUrl: database.url,
    stripe,
    billing,
    openBilling: open,
    receive,
    async newPayer() {
      const email = `${newId<PersonId>()}@example.com`;
      return { ...(await createAccount(app.db, { email })), email };
    },
    async start(payer, amountUsd) {
      const attemptId = newId<TopUpId>();
      await createTopUp(app.db, billing, { attemptId, ...payer, amountUsd });
      return { topUpId: attemptId, sessionId: await querySession(owner, attemptId) };
    },
    async receiveAll() {
      for (const event of stripe.events) await receive(event);
    },
    async balance({ accountId }) {
      const [row] = await owner.sql<{ balance: string }[]>`
        select balance_nanos::text as balance from account_money where account_id = ${accountId}`;
      return BigInt(row?.balance ?? -1);
    },
    spend: (payer, nanos) => spend(ledger, payer, nanos),
    check: () => checkBooks(app.db),
    async close() {
      await stripe.close();
      await ledger.close();
      await Promise.all([owner.close(), app.close()]);
      meters.close();
      await database.drop();
    },
  };
}

async function querySession(owner: Connection, topUpId: TopUpId): Promise<string> {
  const [row] = await owner.sql<{ checkout_session_id: string }[]>`
    select checkout_session_id from top_ups where id = ${topUpId}`;
  if (row === undefined) throw new Error(`there is no top-up ${topUpId}`);
  return row.checkout_session_id;
}

async function spend(ledger: Ledger, { accountId }: Payer, nanos: bigint): Promise<void> {
  const decision = await ledger.hold({
    facts: createCallFacts({
      id: newId<GenerationId>(),
      accountId,
      keyId: null,
      origin: "playground",
      model: "m/one",
      provider: "p",
      priceId: newId<PriceId>(),
      status: 200,
      outcome: "completed",
    }),
    wantNanos: toNanos(nanos),
    floorNanos: toNanos(nanos),
    atMostHalf: false,
    allOrNothing: false,
  });
  if (decision.verdict !== "held") throw new Error(`refused: ${decision.verdict}`);
  await ledger.charge({ hold: decision.hold, state: "settled", costNanos: toNanos(nanos) });
}
