// A refund takes back what idle leases of two servers had reserved before it is booked: no more calls run
// afterwards than the money that is left covers, and the account is not frozen.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { recheckTopUp } from "@turnpike/billing";
import { toNanos } from "@turnpike/terms";
import { type SpawnedServer, spawnServer } from "@turnpike/testing";
import {
  expectCleanBooks,
  openAccount,
  readMoney,
  scripted,
  type TestAccount,
  testModels,
  topUp,
} from "../harness/index.ts";
import { type StripeServer, startStripeServer } from "../top-up/start-stripe-server.ts";
import { askChat, type Received } from "./ask-chat.ts";
import { usdOf } from "./odd-prices.ts";
import { eventually, readRequests } from "./read-requests.ts";

setDefaultTimeout(180_000);

/** The smallest hold, so that a call gets all of it or nothing. */
const maxTokens = 16;
const perServer = 12;
const dollars = 5_000_000_000n;
/** Less than a call costs, so that what is left can be completed exactly. */
const firstNanos = 1n;

let first: StripeServer;
let second: SpawnedServer;
beforeAll(async () => {
  first = await startStripeServer();
  second = await spawnServer(
    { ...first.environment, LOG_LEVEL: "info", DRAIN_NOTICE_MS: "0" },
    { times: { workInboxEveryMs: 3_600_000 } },
  );
});
afterAll(async () => {
  await second?.kill("SIGTERM");
  await expectCleanBooks(first);
  await first?.close();
});

let asked = 0;

/** Every server `count` times at once. */
function askBoth(account: TestAccount, count: number, script: object, signal?: AbortSignal) {
  const messages = [scripted(script)];
  return [first, second].flatMap((server) =>
    Array.from({ length: count }, () => {
      asked += 1;
      const body = { model: testModels.expensive, messages, max_tokens: maxTokens, stream: true };
      const name = `call ${asked}`;
      return askChat(server, { key: account.key, name, body, ...(signal && { signal }) });
    }),
  );
}

/** What one of these calls holds. */
async function readHold(): Promise<bigint> {
  const rows = [...(await readRequests(first)).values()];
  const [row] = rows.filter(({ heldNanos }) => heldNanos > 0n);
  if (row === undefined) throw new Error("no call ran");
  return row.heldNanos;
}

test("with leases of two servers idle, a refund leaves money for one call, and one runs", async () => {
  const account = await openAccount(first, { usd: usdOf(firstNanos) });
  const begun = await first.begin(account, "5");
  const intent = first.stripe.pay(begun.sessionId);
  await recheckTopUp(first.owner.db, first.services.billing, begun.topUpId);
  // Both reserve in advance what their callers seem to need.
  await eventually("headroom for ten calls", async () => {
    await Promise.all(askBoth(account, perServer, { deltas: 1 }));
    const { heldNanos } = await readMoneyAsIs(account);
    return heldNanos >= 10n * (await readHold());
  });
  const holdNanos = await readHold();
  const { balanceNanos } = await readMoneyAsIs(account);
  await topUp(first, account.id, usdOf(dollars + holdNanos + holdNanos / 2n - balanceNanos));
  first.stripe.refund(intent, 500);
  const event = first.stripe.events.at(-1);
  if (event === undefined) throw new Error("no event");
  await first.stripe.deliver(event, { url: first.webhookUrl });
  await eventually("the refund", async () => {
    const [row] = await first.owner.sql`
      select 1 from ledger_transactions where kind = 'refund'`;
    return row;
  });
  const [state] = await first.owner.sql`select frozen_at from accounts where id = ${account.id}`;
  expect(state).toEqual({ frozen_at: null });
  expect((await readMoneyAsIs(account)).heldNanos).toBe(toNanos(0n));

  const controller = new AbortController();
  const from = first.upstream.requests.length;
  const refused: Received[] = [];
  const calls = askBoth(
    account,
    5,
    { tag: "silent", headGate: true, status: 400 },
    controller.signal,
  );
  const ends = calls.map(async (call) => {
    const received = await call;
    if (received.status !== undefined && received.status !== 200) refused.push(received);
  });
  const admitted = () => first.upstream.requests.length - from;
  await eventually("every call to end", async () => refused.length + admitted() >= calls.length);
  expect(admitted()).toBe(1);
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 402));
  controller.abort();
  first.upstream.open("silent");
  await Promise.all(ends);
  await eventually("the money of the call", async () => {
    return (await readMoney(first, account.id)).heldNanos === 0n;
  });
});

/** Without recalling anything. */
function readMoneyAsIs({ id }: TestAccount) {
  return readMoney({ owner: first.owner }, id);
}
