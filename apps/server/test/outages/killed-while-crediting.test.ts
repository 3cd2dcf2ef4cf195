// kill -9 of a server between the arrival of Stripe's event and its end in the inbox. A lock of the test
// stops the server at a known statement. Afterwards another server and Stripe's next delivery bring the
// money to the account, once.
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { recheckTopUp, reconcile, workInbox } from "@turnpike/billing";
import { formatUsd } from "@turnpike/terms";
import { type SpawnedServer, spawnServer } from "@turnpike/testing";
import { expectCleanBooks, readMoney, type TestAccount } from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";
import {
  type BegunTopUp,
  openPoorAccount,
  type StripeServer,
  startStripeServer,
} from "../top-up/start-stripe-server.ts";

setDefaultTimeout(180_000);

/** Creates top-ups and is never killed. Of the events it processes only what it is told to. */
let server: StripeServer;
let victim: SpawnedServer | undefined;
let repairLists: () => void;

/** Reconciliation reads Stripe's lists first; without them, a payment arrives only by its event. */
const breakLists = () => server.stripe.breakDown(500, /^\/events/);

beforeAll(async () => {
  server = await startStripeServer({}, { workInboxEveryMs: 3_600_000 });
  await eventually("the reconciliation of the start", async () => {
    const [run] = await server.owner.sql`
      select 1 from job_runs where name = 'reconcile' and finished_at is not null`;
    return run;
  });
  repairLists = breakLists();
});
afterEach(async () => {
  await victim?.kill();
  await expectCleanBooks(server);
});
afterAll(() => server?.close());

async function startVictim(): Promise<SpawnedServer> {
  victim = await spawnServer(
    { ...server.environment, LOG_LEVEL: "info" },
    { times: { workInboxEveryMs: 20 } },
  );
  return victim;
}

type StripeEvent = StripeServer["stripe"]["events"][number];

type Payer = { readonly account: TestAccount; readonly topUp: BegunTopUp };

type Change = {
  readonly change: string;
  readonly balances: { readonly before: string; readonly after: string };
  /** Movements of the account when everything has been applied. */
  readonly movements: number;
  readonly happen: (payer: Payer) => Promise<void>;
};

/** What the server has credited before it is killed. */
async function payAndCredit({ topUp }: Payer): Promise<string> {
  const intent = server.stripe.pay(topUp.sessionId);
  await recheckTopUp(server.owner.db, server.services.billing, topUp.topUpId);
  return intent;
}

const payment: Change = {
  change: "payment",
  balances: { before: "0", after: "25" },
  movements: 1,
  async happen({ topUp }) {
    server.stripe.pay(topUp.sessionId);
  },
};

const changes: readonly Change[] = [
  payment,
  {
    change: "refund",
    balances: { before: "25", after: "15" },
    movements: 2,
    async happen(payer) {
      server.stripe.refund(await payAndCredit(payer), 1_000);
    },
  },
  {
    change: "dispute",
    balances: { before: "25", after: "0" },
    movements: 2,
    async happen(payer) {
      server.stripe.withdrawFunds(server.stripe.dispute(await payAndCredit(payer), 2_500));
    },
  },
];

type Standing = {
  readonly victim: SpawnedServer;
  readonly payer: Payer;
  readonly event: StripeEvent;
};

const deliver = (event: StripeEvent, to: { readonly url: string }) =>
  server.stripe.deliver(event, { url: `${to.url}/stripe/webhook` });

type KilledAtLock = {
  readonly victim: SpawnedServer;
  /** Takes a lock that the victim's next statement needs. */
  readonly lock: string;
  /** Leads the victim to that statement. */
  readonly lead: () => unknown;
  /** Whether PostgreSQL still executes the statement of the dead process. */
  readonly statement: "executed" | "lost";
};

/** Kills a server whose statement waits for a lock; resolves when its session has ended. */
async function killAtLock({ victim, lock, lead, statement }: KilledAtLock): Promise<void> {
  const { sql } = server.owner;
  const pid = await sql.begin(async (locked) => {
    await locked.unsafe(lock);
    lead();
    const waiting = await eventually("the server to wait for the lock", async () => {
      const [session] = await sql<{ pid: number }[]>`
        select pid from pg_stat_activity
         where datname = current_database() and application_name like 'turnpike%'
           and wait_event_type = 'Lock'`;
      return session?.pid;
    });
    await victim.kill();
    if (statement === "lost") await sql`select pg_terminate_backend(${waiting}, 60000)`;
    return waiting;
  });
  await eventually("the session to end", async () => {
    const sessions = await sql`select 1 from pg_stat_activity where pid = ${pid}`;
    return sessions.length === 0;
  });
}

/** Leads a server into the processing of an event until it asks Stripe about the payment. */
async function leadToStripe({ victim, payer, event }: Standing): Promise<() => void> {
  const asked = server.stripe.hold(new RegExp(payer.topUp.sessionId));
  expect(await deliver(event, victim)).toBe(200);
  await asked.called;
  return asked.release;
}

type Moment = {
  readonly moment: string;
  readonly kill: (standing: Standing) => Promise<void>;
  /** What is durable then. */
  readonly leaves: { readonly stored: boolean; readonly applied: boolean };
};

/** During the insert, which waits for an uncommitted row of the same id; the sender gets no answer. */
async function killStoring(
  { victim, event }: Standing,
  statement: KilledAtLock["statement"],
): Promise<void> {
  let answered: Promise<unknown> = Promise.resolve();
  const lead = () => {
    answered = deliver(event, victim).catch(() => "no answer");
  };
  const lock = `
    insert into stripe_inbox (event_id, type, created, payload) values ('${event.id}', '', now(), '{}');
    delete from stripe_inbox where event_id = '${event.id}'`;
  await killAtLock({ victim, lock, lead, statement });
  expect(await answered).toBe("no answer");
}

const received: readonly Moment[] = [
  {
    moment: "before the event is stored",
    leaves: { stored: false, applied: false },
    kill: (standing) => killStoring(standing, "lost"),
  },
  {
    moment: "after the event is stored and before Stripe is answered",
    leaves: { stored: true, applied: false },
    kill: (standing) => killStoring(standing, "executed"),
  },
  {
    moment: "after the event is claimed, while Stripe is asked",
    leaves: { stored: true, applied: false },
    async kill(standing) {
      const answer = await leadToStripe(standing);
      await standing.victim.kill();
      answer();
    },
  },
];

const applied: readonly Moment[] = [
  {
    moment: "inside the transaction that moves the money",
    leaves: { stored: true, applied: false },
    async kill(standing) {
      const { victim, payer } = standing;
      const lead = await leadToStripe(standing);
      const lock = `select 1 from accounts where id = '${payer.account.id}' for update`;
      // The statement succeeds; the transaction ends with its session.
      await killAtLock({ victim, lock, lead, statement: "executed" });
    },
  },
  {
    moment: "after the money moved and before the event is done",
    leaves: { stored: true, applied: true },
    async kill(standing) {
      const { victim, event } = standing;
      const lead = await leadToStripe(standing);
      const lock = `select 1 from stripe_inbox where event_id = '${event.id}' for update`;
      await killAtLock({ victim, lock, lead, statement: "lost" });
    },
  },
];

const cases = [
  ...received.map((moment) => ({ ...payment, ...moment })),
  ...changes.flatMap((change) => applied.map((moment) => ({ ...change, ...moment }))),
];

test.each(cases)("T3: killed $moment, a $change is applied once", async (one) => {
  const account = await openPoorAccount(server);
  const payer = { account, topUp: await server.begin(account, "25") };
  await one.happen(payer);
  const event = server.stripe.events.at(-1);
  if (event === undefined) throw new Error("no event");
  const victim = await startVictim();
  await one.kill({ victim, payer, event });
  expect(await victim.exited).toMatchObject({ signal: "SIGKILL" });
  const { stored, applied: isApplied } = one.leaves;
  expect(await readInbox(event)).toEqual(stored ? { done: false, dead: false } : undefined);
  expect(await readBalance(payer)).toBe(isApplied ? one.balances.after : one.balances.before);
  await expectCleanBooks(server);

  expect(await deliver(event, server)).toBe(200);
  // The claim of the dead process ends after a minute.
  await server.owner.sql`
    update stripe_inbox set next_attempt_at = now() where done_at is null`;
  const work = () => workInbox(server.owner.db, server.services.billing);
  await work();
  expect(await readInbox(event)).toEqual({ done: true, dead: false });
  await expectAppliedOnce(one, payer);
  expect(await deliver(event, server)).toBe(200);
  await work();
  repairLists();
  expect(await reconcile(server.owner.db, server.services.billing)).toMatchObject({ failed: 0 });
  repairLists = breakLists();
  await expectAppliedOnce(one, payer);
});

async function readInbox({ id }: StripeEvent) {
  const [row] = await server.owner.sql<{ done: boolean; dead: boolean }[]>`
    select done_at is not null as done, dead_at is not null as dead
      from stripe_inbox where event_id = ${id}`;
  return row && { done: row.done, dead: row.dead };
}

async function readBalance({ account }: Payer): Promise<string> {
  return formatUsd((await readMoney(server, account.id)).balanceNanos);
}

/** Also by the account's own records: one movement each, and one receipt for the payment. */
async function expectAppliedOnce({ balances, movements }: Change, payer: Payer): Promise<void> {
  expect(await readBalance(payer)).toBe(balances.after);
  const { id, email } = payer.account;
  const [counted] = await server.owner.sql<{ movements: number; receipts: number }[]>`
    select (select count(*)::int from entries where account_id = ${id}) as movements,
           (select count(*)::int from outbox
             where recipient = ${email} and message ->> 'kind' = 'receipt') as receipts`;
  expect(counted).toEqual({ movements, receipts: 1 });
}
