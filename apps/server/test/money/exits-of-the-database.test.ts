// The rows of docs/billing.md in which the database goes away during an answer: its end waits, but
// not forever, no client gets `[DONE]` unbilled, and the charge is made once when the database is
// back.
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  expect,
  setDefaultTimeout,
  test,
} from "bun:test";
import { startTcpProxy, type TcpProxy } from "@turnpike/testing";
import {
  at,
  expectCleanBooks,
  expectFault,
  getPath,
  openAccount,
  openTestSite,
  readJson,
  scripted,
  startTestServer,
  type TestAccount,
  type TestServer,
  type TestSite,
} from "../harness/index.ts";
import { askChat } from "./ask-chat.ts";
import { nanosOf, oddCatalog, oddModel, priceOf } from "./odd-prices.ts";
import { awaitRequest, eventually, findRequest } from "./read-requests.ts";

// The end too: a closing part may wait for the answer of a connection that was cut, one after another.
setDefaultTimeout(180_000);

/** How long an answer waits for its bill: longer than any outage that ends meanwhile, on however slow a machine. */
const patientMs = 120_000;
/** The same where the outage is longer. */
const settleWaitMs = 1_500;

let site: TestSite;
let server: TestServer;
let proxy: TcpProxy;
let account: TestAccount;

beforeAll(async () => {
  site = await openTestSite({ catalog: oddCatalog });
  const target = new URL(site.database.url);
  proxy = await startTcpProxy({ host: target.hostname, port: Number(target.port) });
  target.port = String(proxy.port);
  server = await startTestServer({
    site,
    // Notifications use another connection, so that keys stay known while the pools are cut off.
    environment: { DATABASE_URL: target.href, DATABASE_DIRECT_URL: site.database.url },
    times: { keepAliveMs: 200 },
  });
});
beforeEach(async () => {
  waitForBills(patientMs);
  account = await openAccount(server);
  // Knows the key, and reopens the connections that the last test cut.
  const body = { model: oddModel, messages: [scripted({})] };
  await eventually("the database to be reachable again", async () => {
    const { complete } = await askChat(server, { key: account.key, name: account.id, body });
    return complete;
  });
});
afterEach(() => expectCleanBooks(server));
afterAll(async () => {
  await server.close();
  await proxy.close();
  await site.close();
});

function waitForBills(atMostMs: number): void {
  Object.assign(server.services.gateway.times, { settleWaitMs: atMostMs });
}

/** Asks for an answer of five tokens whose upstream finishes only after the database is unreachable. */
async function askAcross(name: string, fields: object, takeAway: () => void) {
  const messages = [scripted({ tag: name, deltas: 5, paceMs: 40 })];
  const asked = askChat(server, {
    key: account.key,
    name,
    body: { model: oddModel, messages, ...fields },
  });
  await server.upstream.waitFor((request) => request.tag === name);
  takeAway();
  return asked;
}

function leave(): void {
  proxy.refuse();
  proxy.cut();
}

test("a stream whose end cannot be billed waits with comments, then ends without [DONE]", async () => {
  waitForBills(settleWaitMs);
  const name = "stream across an outage";
  const received = await askAcross(name, { stream: true }, leave);
  expect(received).toMatchObject({ status: 200, tokens: 5, complete: false });
  expect(received.text).toMatch(/^: keep-alive$/m);
  expect(received.error).toMatchObject({ code: "overloaded" });
  expect(await findRequest(server, name)).toBeUndefined();
  expect(server.services.ledger.uncharged()).toBe(1);

  await proxy.accept();
  const row = await awaitRequest(server, name);
  expect(row).toMatchObject({ state: "settled", outcome: "completed", completionTokens: 5 });
  const { promptTokens: prompt, completionTokens: completion } = row;
  expect(row.chargedNanos).toBe(priceOf({ prompt, completion }));
  await server.services.ledger.drain();
  expect(await countCharges(name)).toBe(1);
});

test("under an Idempotency-Key an answer that cannot be billed in time is not requested again", async () => {
  waitForBills(settleWaitMs);
  const name = "repeated across an outage";
  const messages = [scripted({ tag: name, deltas: 5, paceMs: 40 })];
  const send = () =>
    fetch(`${server.baseUrl}/chat/completions`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${account.key}`,
        "content-type": "application/json",
        "user-agent": name,
        "idempotency-key": name,
      },
      body: JSON.stringify({ model: oddModel, messages }),
    });
  const first = send();
  await server.upstream.waitFor((request) => request.tag === name);
  leave();
  expect((await first).status).toBe(503);
  await proxy.accept();
  await awaitRequest(server, name);
  // Refused at once until a heartbeat has found the database again.
  await eventually("an answer from the database", async () => {
    const { status } = await send();
    expect([503, 409]).toContain(status);
    return status === 409;
  });
  expect(server.upstream.requests.filter(({ tag }) => tag === name)).toHaveLength(1);
  expect(await countCharges(name)).toBe(1);
});

test("a whole answer that cannot be billed is refused, and billed once when it can", async () => {
  waitForBills(settleWaitMs);
  const name = "whole across an outage";
  const received = await askAcross(name, {}, leave);
  expect(received.status).toBe(503);
  // It will be billed: an SDK that retried by itself would be billed twice.
  expect(received.headers.get("x-should-retry")).toBe("false");
  expect(received.headers.get("retry-after")).toBeNull();
  await proxy.accept();
  const row = await awaitRequest(server, name);
  expect(row).toMatchObject({ state: "settled", outcome: "completed", completionTokens: 5 });
  expect(await countCharges(name)).toBe(1);
});

test("an outage shorter than the wait is not seen by the client", async () => {
  const name = "short outage";
  const asked = askAcross(name, { stream: true, stream_options: { include_usage: true } }, leave);
  await server.upstream.waitFor((request) => request.tag === name).then(({ ended }) => ended);
  await proxy.accept();
  const received = await asked;
  expect(received).toMatchObject({ complete: true, tokens: 5, error: undefined });
  const row = await awaitRequest(server, name);
  expect(nanosOf(received.usage?.cost)).toBe(row.chargedNanos);
  expect(await countCharges(name)).toBe(1);
});

test("a charge whose reply is lost is made once, and shown as charged", async () => {
  const name = "lost answer";
  const fields = { stream: true, stream_options: { include_usage: true } };
  const asked = askAcross(name, fields, () => proxy.pause("to-client"));
  // The database has committed; only its reply is delayed, and then lost with the connection.
  const committed = await awaitRequest(server, name);
  expect(committed.state).toBe("settled");
  proxy.blackHole("to-client");
  proxy.cut();
  proxy.resume();
  const received = await asked;
  expect(received).toMatchObject({ complete: true, tokens: 5, error: undefined });
  expect(nanosOf(received.usage?.cost)).toBe(committed.chargedNanos);
  expect(await countCharges(name)).toBe(1);
});

test("no upstream is called while no hold can be placed", async () => {
  // What a lease still covers is granted from memory; without a lease, the database is needed.
  await server.services.ledger.recall(account.id);
  leave();
  const name = "no hold";
  const body = { model: oddModel, messages: [scripted({ tag: name })] };
  expect(await askChat(server, { key: account.key, name, body })).toMatchObject({ status: 503 });
  await proxy.accept();
  expect(server.upstream.requests.some((request) => request.tag === name)).toBe(false);
});

test("a call that its lease covers is made while the database is unreachable, and billed once when it is back", async () => {
  waitForBills(settleWaitMs);
  leave();
  const name = "covered by its lease";
  const body = { model: oddModel, messages: [scripted({ tag: name, deltas: 5 })] };
  const received = await askChat(server, { key: account.key, name, body });
  expect(received.status).toBe(503);
  expect(received.headers.get("x-should-retry")).toBe("false");
  await proxy.accept();
  expect(await awaitRequest(server, name)).toMatchObject({ state: "settled", completionTokens: 5 });
  expect(await countCharges(name)).toBe(1);
});

test.each(["/credits", "/key", "/generation?id=gen-0198c0de00007000800000000000c0de"])(
  "a request that needs the unreachable database is refused as retryable, not as a bug: %s",
  async (path) => {
    leave();
    const response = await getPath(server, account.key, path);
    await expectFault(response, { status: 503, type: "server_error", code: "overloaded" });
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    await proxy.accept();
  },
);

test("a playground call that needs the unreachable database is refused as retryable, not as a bug", async () => {
  leave();
  const response = await fetch(`${server.url}/console/playground`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "sec-fetch-site": "same-origin",
      cookie: "turnpike_session=unknown",
    },
    body: "{}",
  });
  const body = await readJson(response);
  expect([response.status, at(body, "error.code")]).toEqual([503, "overloaded"]);
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  await proxy.accept();
});

/**
 * How often the account has paid for this request, derived from what its other requests cost. A refused
 * repetition has the same name and costs nothing.
 */
async function countCharges(name: string): Promise<number> {
  const [row] = await server.owner.sql<{ count: number }[]>`
    select ((m.credited_nanos - m.balance_nanos - coalesce((
             select sum(o.charged_nanos) from requests o
              where o.account_id = r.account_id and o.id <> r.id), 0)) / r.charged_nanos)::float8 as count
      from requests r join account_money m on m.account_id = r.account_id
     where r.user_agent = ${name} and r.charged_nanos > 0`;
  return row?.count ?? 0;
}
