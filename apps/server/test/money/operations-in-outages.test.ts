// The database is frozen or unreachable in the middle of every operation at once: when money is to be held, during the answer, and
// when it is to be charged. A client gets its answer or an error that says what will be charged, and what is to be charged is,
// once, as soon as the database is back.
import { afterAll, afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { startTcpProxy } from "@turnpike/testing";
import {
  expectCleanBooks,
  openAccount,
  openTestSite,
  readMoney,
  startTestServer,
  type TestAccount,
} from "../harness/index.ts";
import { askOperation, operationNames } from "./ask-operation.ts";
import { sweptCatalog } from "./operation-cases.ts";
import { awaitRequest, eventually, readRequests } from "./read-requests.ts";
import { caseOf, nameAt, namesAt, openSweep } from "./sweep-operations.ts";

setDefaultTimeout(180_000);

/** How long an answer waits for its bill: longer than any outage that ends meanwhile, on however slow a machine. */
const patientMs = 120_000;
/** The same where the outage is longer. */
const settleWaitMs = 1_500;

const site = await openTestSite({ catalog: sweptCatalog });
const target = new URL(site.database.url);
const proxy = await startTcpProxy({ host: target.hostname, port: Number(target.port) });
target.port = String(proxy.port);
const server = await startTestServer({
  site,
  // Notifications use another connection, so that keys stay known while the pools are cut off.
  environment: { DATABASE_URL: target.href, DATABASE_DIRECT_URL: site.database.url },
  times: { keepAliveMs: 200 },
});
afterEach(() => expectCleanBooks(server));
afterAll(async () => {
  await server.close();
  await proxy.close();
  await site.close();
});

const { script, askAll, seenAt, priceOf } = await openSweep(site, server);

/** All are with their upstreams, which wait for the test. */
async function askGated(account: TestAccount, point: string) {
  script(point, { headGate: true });
  const asked = askAll(server, account, point);
  const sent = await seenAt(point);
  const answer = async () => {
    for (const name of namesAt(point)) site.upstream.open(name);
    await Promise.all(sent.map(({ ended }) => ended));
  };
  return { asked, answer };
}

/** An account that the server knows, and whose key has no lease. */
async function openKnownAccount(): Promise<TestAccount> {
  const account = await openAccount(server);
  await eventually("the database to be reachable again", async () => {
    const asking = { operation: "rerank", key: account.key, name: account.id } as const;
    return (await askOperation(server, asking)).isComplete;
  });
  await awaitRequest(server, account.id);
  await server.services.ledger.recall(account.id);
  return account;
}

function waitForBills(atMostMs: number): void {
  Object.assign(server.services.gateway.times, { settleWaitMs: atMostMs });
}

/** Each is charged its price, once, and the account has paid nothing besides. */
async function expectCharged(account: TestAccount, point: string): Promise<void> {
  await Promise.all(namesAt(point).map((name) => awaitRequest(server, name)));
  await server.services.ledger.drain();
  const rows = await readRequests(server);
  const charged = operationNames.map((operation) => [
    operation,
    rows.get(nameAt(point, operation))?.chargedNanos,
  ]);
  expect(charged).toEqual(operationNames.map((operation) => [operation, priceOf(operation)]));
  const sum = operationNames.reduce((total, operation) => total + priceOf(operation), 0n);
  const known = rows.get(account.id)?.chargedNanos ?? 0n;
  const { balanceNanos, heldNanos } = await readMoney(server, account.id);
  expect<readonly bigint[]>([balanceNanos, heldNanos]).toEqual([10_000_000_000n - sum - known, 0n]);
}

test("while no money can be held, every operation is refused at once, and none reaches its upstream", async () => {
  const account = await openKnownAccount();
  const before = await readMoney(server, account.id);
  proxy.refuse();
  proxy.cut();
  const received = await Promise.all(askAll(server, account, "held"));
  await proxy.accept();
  // What is free needs no money.
  const priced = operationNames.filter((operation) => caseOf(operation).isFree !== true);
  const statuses = new Map(operationNames.map((name, index) => [name, received[index]?.status]));
  expect(priced.map((operation) => [operation, statuses.get(operation)])).toEqual(
    priced.map((operation) => [operation, 503]),
  );
  const sent = site.upstream.requests.map(({ tag }) => tag);
  expect(priced.filter((operation) => sent.includes(nameAt("held", operation)))).toEqual([]);
  await server.services.ledger.drain();
  expect(await readMoney(server, account.id)).toEqual(before);
});

test("a database that is frozen during every operation, and wakes, is not seen by its clients", async () => {
  waitForBills(patientMs);
  const account = await openKnownAccount();
  const { asked, answer } = await askGated(account, "frozen");
  proxy.pause();
  await answer();
  proxy.resume();
  const received = await Promise.all(asked);
  const incomplete = operationNames.filter((_, index) => received[index]?.isComplete !== true);
  expect(incomplete).toEqual([]);
  await expectCharged(account, "frozen");
});

test("charges whose confirmation is lost are made once, and every client has its answer", async () => {
  waitForBills(patientMs);
  const account = await openKnownAccount();
  const { asked, answer } = await askGated(account, "unheard");
  proxy.pause("to-client");
  await answer();
  proxy.blackHole("to-client");
  proxy.cut();
  proxy.resume();
  const received = await Promise.all(asked);
  const incomplete = operationNames.filter((_, index) => received[index]?.isComplete !== true);
  expect(incomplete).toEqual([]);
  await expectCharged(account, "unheard");
});

test("charges that cannot be made in time end every answer with an error, and are made once when they can be", async () => {
  waitForBills(settleWaitMs);
  const account = await openKnownAccount();
  const { asked, answer } = await askGated(account, "late");
  proxy.refuse();
  proxy.cut();
  await answer();
  const received = await Promise.all(asked);
  await proxy.accept();
  const outcomes = operationNames.map((operation, index) => {
    const { status, text, isComplete, headers } = received[index] ?? {};
    if (isComplete === true) return [operation, "complete"];
    if (status === 503) return [operation, headers?.get("x-should-retry")];
    return [operation, status, text?.includes('"error"')];
  });
  expect(outcomes).toEqual(
    operationNames.map((operation) => {
      const { streams, end } = caseOf(operation);
      if (streams === undefined) return [operation, "false"];
      // Bytes have no place for an error: their connection breaks off.
      return [operation, 200, end !== undefined];
    }),
  );
  await expectCharged(account, "late");
});
