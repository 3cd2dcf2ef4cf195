// For tests of reports: a separate database with accounts and keys, a ledger whose clock is frozen so
// that its leases stay open, and past usage written as instances would have left it.
import { createAccount } from "@turnpike/accounts";
import {
  type AccountId,
  type ApiKeyId,
  type GenerationId,
  type InstanceId,
  newId,
  type PriceId,
} from "@turnpike/base";
import { type Connection, connectDatabase } from "@turnpike/db";
import {
  checkBooks,
  createCallFacts,
  type Ledger,
  openLedger,
  postMovement,
  type Violation,
} from "@turnpike/ledger";
import { createLog, createMetrics } from "@turnpike/telemetry";
import { toNanos, type UnitCount } from "@turnpike/terms";
import { createTestDatabase, patientLimits, type TestDatabase } from "@turnpike/testing";

type Payer = { readonly accountId: AccountId; readonly keyId: ApiKeyId | null };

/** What an instance spent in one hour, a lease per call of this function. */
type PastHour = Payer & {
  readonly hour: string;
  readonly costsNanos: readonly bigint[];
  readonly app?: string;
  readonly endUser?: string;
  /** How long each call took. */
  readonly totalMs?: number;
  /** What each was billed for by other units. */
  readonly units?: readonly UnitCount[];
};

export type TestReports = {
  readonly database: TestDatabase;
  readonly owner: Connection;
  readonly app: Connection;
  newAccount(nanos: bigint): Promise<AccountId>;
  newKey(accountId: AccountId, name: string): Promise<ApiKeyId>;
  move(accountId: AccountId, nanos: bigint, reason?: string): Promise<void>;
  openLedger(): Promise<Ledger>;
  /** A closed lease with its requests, posted. */
  writePastHour(past: PastHour): Promise<void>;
  /** A call from before leases existed, posted separately. */
  writePastCall(call: Payer & { readonly at: string; readonly costNanos: bigint }): Promise<void>;
  check(): Promise<Violation[]>;
  close(): Promise<void>;
};

export async function openTestReports(): Promise<TestReports> {
  const database = await createTestDatabase();
  const owner = connectDatabase({ url: database.ownerUrl, max: 4, ...patientLimits });
  const app = connectDatabase({ url: database.url, max: 4 });
  const metrics = createMetrics();
  const ledgers: Ledger[] = [];
  const move = async (accountId: AccountId, nanos: bigint, reason = "test") => {
    await postMovement(owner.db, {
      accountId,
      amountNanos: toNanos(nanos),
      kind: "adjustment",
      book: "adjustments",
      idempotencyKey: crypto.randomUUID(),
      reason,
      actor: "test",
    });
  };
  return {
    database,
    owner,
    app,
    move,
    async newAccount(nanos) {
      const { accountId } = await createAccount(app.db, { email: `${newId()}@example.com` });
      if (nanos > 0n) await move(accountId, nanos);
      return accountId;
    },
    async newKey(accountId, name) {
      const id = newId<ApiKeyId>();
      await app.sql`insert into api_keys (account_id, id, name, hash, masked)
                    values (${accountId}, ${id}, ${name}, ${Buffer.from(id)}, 'masked')`;
      return id;
    },
    async openLedger() {
      const instanceId = newId<InstanceId>();
      await owner.sql`insert into instances (id) values (${instanceId})`;
      const ledger = openLedger({
        url: database.url,
        instanceId,
        log: createLog({ level: "silent", name: "test" }),
        metrics,
        admitting: () => true,
        nowMs: () => 0,
      });
      ledgers.push(ledger);
      return ledger;
    },
    writePastHour: (past) => writePastHour(owner, past),
    writePastCall: (call) => writePastCall(owner, call),
    check: () => checkBooks(app.db),
    async close() {
      await Promise.all(ledgers.map((ledger) => ledger.close()));
      await Promise.all([owner.close(), app.close()]);
      metrics.close();
      await database.drop();
    },
  };
}

/** A finished call that cost this much. */
export async function call(ledger: Ledger, payer: Payer, costNanos: bigint): Promise<void> {
  const end = await reserve(ledger, payer, costNanos);
  await end(costNanos);
}

/** A running call that may cost this much; the returned function ends it. */
export async function reserve(ledger: Ledger, payer: Payer, nanos: bigint) {
  const decision = await ledger.hold({
    facts: createCallFacts({
      ...payer,
      id: newId<GenerationId>(),
      origin: payer.keyId === null ? "playground" : "api",
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
  const { hold } = decision;
  return (costNanos: bigint) =>
    ledger.charge({
      hold,
      state: costNanos === 0n ? "released" : "settled",
      costNanos: toNanos(costNanos),
    });
}

async function writePastHour(owner: Connection, past: PastHour): Promise<void> {
  const { accountId, keyId, hour, costsNanos } = past;
  const leaseId = newId();
  const spent = costsNanos.reduce((sum, cost) => sum + cost, 0n);
  const transactionId =
    spent > 0n ? await post(owner, past, { at: hour, spent, key: `lease:${leaseId}` }) : null;
  await owner.sql`
    insert into leases (account_id, id, key_id, instance_id, hour, granted_nanos, spent_nanos, calls,
                        opened_at, closed_at, transaction_id)
    values (${accountId}, ${leaseId}, ${keyId}, ${newId()}, ${hour}, ${`${spent}`}, ${`${spent}`},
            ${costsNanos.length}, ${hour}, ${hour}::timestamptz + interval '1 hour', ${transactionId})`;
  for (const costNanos of costsNanos) {
    await writeRequest(owner, { ...past, at: hour, costNanos, leaseId, transactionId: null });
  }
}

async function writePastCall(
  owner: Connection,
  past: Payer & { readonly at: string; readonly costNanos: bigint },
): Promise<void> {
  const { at, costNanos } = past;
  const key = `usage:${newId()}`;
  const transactionId = await post(owner, past, { at, spent: costNanos, key });
  await writeRequest(owner, { ...past, leaseId: null, transactionId });
}

async function post(
  { sql }: Connection,
  { accountId, keyId }: Payer,
  { at, spent, key }: { at: string; spent: bigint; key: string },
): Promise<string> {
  const id = newId();
  await sql`insert into ledger_transactions (id, kind, idempotency_key, actor, created_at)
            values (${id}, 'usage', ${key}, 'gateway', ${at})`;
  await sql`insert into entries (account_id, transaction_id, book, amount_nanos)
            values (${accountId}, ${id}, 'account', ${`${-spent}`}),
                   ('00000000-0000-0000-0000-000000000000', ${id}, 'usage_revenue', ${`${spent}`})`;
  await sql`update accounts set balance_nanos = balance_nanos - ${`${spent}`} where id = ${accountId}`;
  await sql`update api_keys set total_spent_nanos = total_spent_nanos + ${`${spent}`}
             where id = ${keyId}`;
  return id;
}

type RequestOfPast = Payer & {
  readonly app?: string;
  readonly endUser?: string;
  readonly at: string;
  readonly costNanos: bigint;
  readonly leaseId: string | null;
  readonly transactionId: string | null;
  readonly totalMs?: number;
  readonly units?: readonly UnitCount[];
};

async function writeRequest({ sql }: Connection, request: RequestOfPast): Promise<void> {
  const { accountId, keyId, at, leaseId, transactionId } = request;
  const cost = `${request.costNanos}`;
  const details = request.units && JSON.stringify({ units: request.units });
  await sql`
    insert into requests (account_id, id, key_id, lease_id, state, model, provider, placed_at, ended_at,
                          status, outcome, held_nanos, cost_nanos, charged_nanos, transaction_id, app, end_user,
                          total_ms, usage_details)
    select ${accountId}, encode(overlay(uuid_send(uuid7_floor(${at}::timestamptz))
             placing substring(uuid_send(gen_random_uuid()) from 9 for 8) from 9 for 8), 'hex')::uuid,
           ${keyId}, ${leaseId}, 'settled', 'm/one', 'p', ${at}, ${at}, 200, 'completed', ${cost},
           ${cost}, ${cost}, ${transactionId}, ${request.app ?? null}, ${request.endUser ?? null},
           ${request.totalMs ?? null}, ${details ?? null}::text::jsonb`;
}
