// How instances ask each other for idle money: every other one returns it before a recall resolves,
// and a recall that cannot be answered still ends.
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { type AccountId, type InstanceId, type LeaseId, newId } from "@turnpike/base";
import { type Listener, openListener, type Subscriber } from "@turnpike/db";
import {
  chargeOf,
  grantOf,
  holdOf,
  openTestBooks,
  silentLog,
  type TestBooks,
} from "../open-test-books.fixture.ts";
import { openRecallChannel, type RecallChannelOptions } from "./open-recall-channel.ts";

setDefaultTimeout(180_000);

let books: TestBooks;
const listeners: Listener[] = [];
beforeAll(async () => {
  books = await openTestBooks();
});
// An instance of an earlier test would answer the next one's recalls.
afterEach(() => Promise.all(listeners.splice(0).map((listener) => listener.close())));
afterAll(() => books.close());

/** Far more than a test takes: a recall that waits for it fails the test. */
const longMs = 600_000;

function listen(): Listener {
  const listener = openListener({ url: books.database.url });
  listeners.push(listener);
  return listener;
}

/** One instance; `asked` lists the accounts it returned money for. */
async function openInstance(options: Partial<RecallChannelOptions> = {}) {
  const asked: AccountId[] = [];
  const instanceId = options.instanceId ?? newId<InstanceId>();
  const channel = await openRecallChannel({
    db: books.app.db,
    listener: options.listener ?? listen(),
    instanceId,
    waitMs: longMs,
    log: silentLog,
    ...options,
    async onRecall(accountId) {
      asked.push(accountId);
      await options.onRecall?.(accountId);
    },
  });
  return { channel, asked, instanceId };
}

type HasId = { readonly instanceId: InstanceId };

/** An account of which each of these instances has an open lease. */
async function openAccount(...holders: readonly HasId[]): Promise<AccountId> {
  const { accountId } = await books.newPrincipal(1_000n);
  for (const { instanceId } of holders) {
    await books.owner.sql`
      insert into leases (account_id, id, instance_id, hour)
      values (${accountId}, ${newId<LeaseId>()}, ${instanceId}, date_trunc('hour', now()))`;
  }
  return accountId;
}

/** Messages as PostgreSQL delivers them, one by one. */
async function readMessages(): Promise<() => Promise<string>> {
  const messages: string[] = [];
  let arrived = Promise.withResolvers<void>();
  await listen().subscribe("lease_recalls", {
    onMessage(message) {
      messages.push(message);
      arrived.resolve();
    },
    onReconnect: () => undefined,
  });
  return async () => {
    for (;;) {
      const message = messages.shift();
      if (message !== undefined) return message;
      await arrived.promise;
      arrived = Promise.withResolvers<void>();
    }
  };
}

test("a recall resolves when every instance with a lease has returned its money, not before", async () => {
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const asker = await openInstance();
  const quick = await openInstance({ onRecall: () => first.promise });
  const slow = await openInstance({ onRecall: () => second.promise });
  const idle = await openInstance({ onRecall: () => Promise.withResolvers<void>().promise });
  const next = await readMessages();
  const accountId = await openAccount(asker, quick, slow);
  const recall = asker.channel.recall(accountId);
  expect(await next()).toStartWith(`recall ${accountId} `);
  first.resolve();
  expect(await next()).toStartWith(`returned ${accountId} `);
  expect(Bun.peek.status(recall)).toBe("pending");
  second.resolve();
  await recall;
  // One without a lease may open one next, so it is asked, but not waited for.
  expect([asker.asked, quick.asked, slow.asked, idle.asked]).toEqual([
    [],
    [accountId],
    [accountId],
    [accountId],
  ]);
});

test("an answer about another account does not end a recall", async () => {
  const held = Promise.withResolvers<void>();
  const asker = await openInstance();
  const other = await openInstance({
    onRecall: (accountId) => (accountId === ours ? held.promise : Promise.resolve()),
  });
  const ours = await openAccount(other);
  const theirs = await openAccount(other);
  const recall = asker.channel.recall(ours);
  await asker.channel.recall(theirs);
  expect(Bun.peek.status(recall)).toBe("pending");
  held.resolve();
  await recall;
  expect(other.asked.toSorted()).toEqual([ours, theirs].toSorted());
});

/** As an instance that is not in this process. */
async function notify(...message: readonly string[]): Promise<void> {
  await books.app.sql`select pg_notify('lease_recalls', ${message.join(" ")})`;
}

test("an answer to another instance that recalls the same account does not end a recall", async () => {
  const instanceId = newId<InstanceId>();
  const [other, rival] = [newId<InstanceId>(), newId<InstanceId>()];
  const asker = await openInstance({ instanceId });
  const next = await readMessages();
  const accountId = await openAccount({ instanceId: other });
  const recall = asker.channel.recall(accountId);
  expect(await next()).toBe(`recall ${accountId} ${instanceId}`);
  await notify("returned", accountId, other, rival);
  // The asker's answer to this shows that it has read the previous one.
  await notify("recall", accountId, rival);
  const answer = `returned ${accountId} ${instanceId} ${rival}`;
  for (let message = ""; message !== answer; ) message = await next();
  expect(Bun.peek.status(recall)).toBe("pending");
  await notify("returned", accountId, other, instanceId);
  await recall;
});

test("where no other instance has a lease of the account, nothing is waited for", async () => {
  const other = await openInstance({ onRecall: () => Promise.withResolvers<void>().promise });
  const asker = await openInstance();
  await asker.channel.recall(await openAccount(asker));
  await asker.channel.recall(await openAccount());
  // An instance that has just started is asked before any heartbeat could tell of it.
  const accountId = await openAccount(other);
  const recall = asker.channel.recall(accountId);
  const rival = newId<InstanceId>();
  const next = await readMessages();
  await notify("recall", accountId, rival);
  for (let message = ""; message !== `returned ${accountId} ${asker.instanceId} ${rival}`; ) {
    message = await next();
  }
  expect(Bun.peek.status(recall)).toBe("pending");
  await notify("returned", accountId, other.instanceId, asker.instanceId);
  await recall;
});

test("an answer that arrives before the asker knows whom it waits for counts", async () => {
  const asker = await openInstance();
  const quick = await openInstance();
  // The holders are known when the statement that asks has returned, which takes longer than its message.
  for (let round = 0; round < 20; round += 1) {
    await asker.channel.recall(await openAccount(quick));
  }
  expect(quick.asked).toHaveLength(20);
});

test("an instance that cannot return money keeps a call waiting no longer than the bound", async () => {
  const asker = await openInstance({ waitMs: 50 });
  const failing = await openInstance({ onRecall: () => Promise.reject(new Error("no database")) });
  const accountId = await openAccount(failing);
  await asker.channel.recall(accountId);
  expect(failing.asked.every((id) => id === accountId)).toBe(true);
});

test("without LISTEN nothing is asked, and everything is asked once the listener is back", async () => {
  const subscribers: Subscriber[] = [];
  const listener: Listener = {
    subscribe(_channel, subscriber) {
      subscribers.push(subscriber);
      return Promise.reject(new Error("no LISTEN"));
    },
    reconnect: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  const other = await openInstance();
  const deaf = await openInstance({ listener });
  await deaf.channel.recall(await openAccount(other));
  for (const { onReconnect } of subscribers) onReconnect();
  const accountId = await openAccount(other);
  const next = await readMessages();
  const recall = deaf.channel.recall(accountId);
  for (let message = ""; !message.startsWith("returned"); ) {
    message = await next();
    for (const { onMessage } of subscribers) onMessage(message);
  }
  await recall;
  expect(other.asked).toEqual([accountId]);
});

test("what takes money from an account recalls the idle money of its leases from every instance", async () => {
  const principal = await books.newPrincipal(100_000n);
  // Nothing becomes idle by itself.
  const ledger = books.openLedger({ nowMs: () => 0 });
  const hold = grantOf(await ledger.hold(holdOf(principal, 1_000n)));
  await ledger.charge(chargeOf(hold, 0n, { state: "released" }));
  expect((await books.money(principal.accountId)).held).toBeGreaterThanOrEqual(1_000n);
  const { asked } = await openInstance({ onRecall: (accountId) => ledger.recall(accountId) });
  const next = await readMessages();
  await books.move(principal.accountId, -98_000n);
  expect(await next()).toStartWith(`recall ${principal.accountId} `);
  expect(await next()).toStartWith(`returned ${principal.accountId} `);
  expect(asked).toEqual([principal.accountId]);
  expect(await books.money(principal.accountId)).toMatchObject({ balance: 2_000n, held: 0n });
  expect(await books.check()).toEqual([]);
});
