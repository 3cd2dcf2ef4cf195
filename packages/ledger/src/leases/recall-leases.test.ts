// Before money is taken from an account, every instance returns what its leases reserved in advance, and
// reserves nothing more until it was taken; an instance that does not answer costs no money.
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { type InstanceId, newId } from "@turnpike/base";
import { type Listener, openListener } from "@turnpike/db";
import type { Ledger, LedgerOptions } from "../open-ledger.ts";
import {
  chargeOf,
  grantOf,
  holdOf,
  openTestBooks,
  type Principal,
  silentLog,
  type TestBooks,
} from "../open-test-books.fixture.ts";
import { openRecallChannel } from "./open-recall-channel.ts";
import { recallLeases } from "./recall-leases.ts";

setDefaultTimeout(180_000);

/** Far more than a test takes: a recall that waits for it fails the test. */
const longMs = 600_000;

let books: TestBooks;
let ledgers: Ledger[] = [];
let listeners: Listener[] = [];
beforeAll(async () => {
  books = await openTestBooks();
});
afterEach(async () => {
  await Promise.all(ledgers.map((ledger) => ledger.drain()));
  await Promise.all(listeners.map((listener) => listener.close()));
  [ledgers, listeners] = [[], []];
  expect(await books.check()).toEqual([]);
});
afterAll(() => books.close());

/** One instance. Its clock stands still, so that nothing is returned because it is idle. */
async function openInstance({
  answers = true,
  ...options
}: Partial<LedgerOptions> & { readonly answers?: boolean } = {}): Promise<Ledger> {
  const instanceId = newId<InstanceId>();
  await books.owner.sql`insert into instances (id) values (${instanceId})`;
  const ledger = books.openLedger({ instanceId, nowMs: () => 0, ...options });
  ledgers.push(ledger);
  if (!answers) return ledger;
  const listener = openListener({ url: books.database.url });
  listeners.push(listener);
  await openRecallChannel({
    db: books.app.db,
    listener,
    instanceId,
    onRecall: (accountId) => ledger.recall(accountId),
    waitMs: longMs,
    log: silentLog,
  });
  return ledger;
}

/** Calls of 10 that cost 1, so that the next ones find headroom for themselves. */
async function runCalls(ledger: Ledger, principal: Principal): Promise<void> {
  const holds = Array.from({ length: 12 }, async () =>
    grantOf(await ledger.hold(holdOf(principal, 10n))),
  );
  for (const hold of await Promise.all(holds)) await ledger.charge(chargeOf(hold, 1n));
}

const recall = ({ accountId }: Principal, waitMs = longMs) =>
  recallLeases(
    { db: books.app.db, directUrl: books.database.url, log: silentLog, waitMs },
    accountId,
  );

async function idleOf({ accountId }: Principal): Promise<bigint> {
  const leases = await books.leases(accountId);
  return leases
    .filter(({ closed_at }) => closed_at === null)
    .reduce((sum, { granted_nanos, spent_nanos }) => {
      return sum + BigInt(String(granted_nanos)) - BigInt(String(spent_nanos));
    }, 0n);
}

test("what two instances reserved in advance is returned before the recall resolves", async () => {
  const instances = [await openInstance(), await openInstance()];
  const principal = await books.newPrincipal(10_000n);
  for (const ledger of instances) await runCalls(ledger, principal);
  expect(await idleOf(principal)).toBeGreaterThanOrEqual(200n);
  await recall(principal);
  expect(await idleOf(principal)).toBe(0n);
  // 24 were spent: what is left is for one call, and the account is never frozen.
  await books.move(principal.accountId, -(10_000n - 24n - 10n));
  expect(await books.money(principal.accountId)).toMatchObject({ frozen: false });
  const asked = instances.flatMap((ledger) =>
    Array.from({ length: 5 }, async () => ledger.hold(holdOf(principal, 10n))),
  );
  const granted = (await Promise.all(asked)).flatMap((decision) =>
    decision.verdict === "held" ? [decision.hold] : [],
  );
  expect(granted).toHaveLength(1);
  for (const hold of granted) {
    const owner = instances.find((ledger) => ledger.running() > 0);
    await owner?.charge(chargeOf(hold, 10n));
  }
});

test("after a recall calls reserve what they need and nothing in advance, until money was taken", async () => {
  const ledger = await openInstance();
  const principal = await books.newPrincipal(10_000n);
  await runCalls(ledger, principal);
  await recall(principal);
  const hold = grantOf(await ledger.hold(holdOf(principal, 10n)));
  expect(await idleOf(principal)).toBe(10n);
  await ledger.charge(chargeOf(hold, 10n));
  await books.owner.sql`
    update accounts set recalled_until = now() where id = ${principal.accountId}`;
  const next = grantOf(await ledger.hold(holdOf(principal, 10n)));
  expect(await idleOf(principal)).toBeGreaterThan(10n);
  await ledger.charge(chargeOf(next, 10n));
});

test("a recall waits for an answer under way, and returns what that grants beyond its call", async () => {
  const principal = await books.newPrincipal(100_000n);
  const ledger = await openInstance();
  await runCalls(ledger, principal);
  const { answer, recalled } = await books.owner.sql.begin(async (locked) => {
    await locked`select 1 from accounts where id = ${principal.accountId} for update`;
    const answer = Promise.resolve(ledger.hold(holdOf(principal, 500n)));
    while (!(await waitsForLock())) await Bun.sleep(5);
    // Resolved with an object: an answer here would be waited for before the lock ends.
    return { answer, recalled: ledger.recall(principal.accountId).then(() => idleOf(principal)) };
  });
  expect(await recalled).toBe(500n);
  await ledger.charge(chargeOf(grantOf(await answer), 500n));
});

async function waitsForLock(): Promise<boolean> {
  const waiting = await books.owner.sql`
    select from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`;
  return waiting.length > 0;
}

test("a refusal that a recall may reverse ends head starts, so that what is returned is there for its call", async () => {
  const [ledger, other] = [await openInstance(), await openInstance()];
  const principal = await books.newPrincipal(100_000n);
  await runCalls(other, principal);
  const running = grantOf(await ledger.hold(holdOf(principal, 50_000n)));
  // Refused: without another instance that answers a recall.
  expect(await ledger.hold(holdOf(principal, 60_000n))).toMatchObject({ verdict: "in_flight" });
  await other.recall(principal.accountId);
  const small = grantOf(await other.hold(holdOf(principal, 10n)));
  expect(await idleOf(principal)).toBe(50_010n);
  for (const hold of [running, small]) {
    await (hold === running ? ledger : other).charge(chargeOf(hold, 0n, { state: "released" }));
  }
});

test("a refusal with nothing reserved elsewhere changes nothing of its account", async () => {
  const ledger = await openInstance();
  const principal = await books.newPrincipal(100n);
  expect(await ledger.hold(holdOf(principal, 200n))).toMatchObject({ verdict: "balance" });
  const [row] = await books.owner.sql<{ until: Date | null }[]>`
    select recalled_until as until from accounts where id = ${principal.accountId}`;
  expect(row).toEqual({ until: null });
});

test("without leases of its account a recall waits for no one", async () => {
  const ledger = await openInstance({ answers: false });
  await runCalls(ledger, await books.newPrincipal(10_000n));
  await recall(await books.newPrincipal(100n));
});

test("an instance that does not answer delays a recall only until its bound, and its money stays reserved", async () => {
  const ledger = await openInstance({ answers: false });
  const principal = await books.newPrincipal(10_000n);
  await runCalls(ledger, principal);
  const idle = await idleOf(principal);
  await recall(principal, 1);
  await books.move(principal.accountId, -9_950n);
  expect(await books.money(principal.accountId)).toMatchObject({
    balance: 50n,
    held: idle + 12n,
    frozen: true,
  });
});

test("a recall whose instances cannot be asked ends nevertheless", async () => {
  const ledger = await openInstance();
  const principal = await books.newPrincipal(10_000n);
  await runCalls(ledger, principal);
  const directUrl = "postgres://nobody@127.0.0.1:1/none";
  await recallLeases(
    { db: books.app.db, directUrl, log: silentLog, waitMs: longMs },
    principal.accountId,
  );
});
