// While a queue does not move, new calls are refused before anything is done for them, with the
// time to retry; other requests are still answered.
import { afterAll, afterEach, expect, test } from "bun:test";
import { LoadShedder, loadLimits } from "@turnpike/gateway";
import {
  chatBody,
  expectCleanBooks,
  expectFault,
  getPath,
  openAccount,
  postChat,
  startTestServer,
} from "../harness/index.ts";

/**
 * Ignores the load of this process: a busy machine must not refuse what a test expects to be
 * admitted.
 */
let skewMs = 0;
let nextTurn = Promise.withResolvers<() => void>();
const load = new LoadShedder({
  inNextTurn: (pump) => nextTurn.resolve(pump),
  now: () => performance.now() + skewMs,
});
const server = await startTestServer({ load });
afterAll(() => server.close());
afterEach(() => expectCleanBooks(server));

/** As if charges had waited longer than the target for longer than a burst lasts. */
function letQueueStand(): void {
  const nowMs = performance.now();
  for (let agoMs: number = loadLimits.burstMs; agoMs >= 0; agoMs -= loadLimits.staleMs / 2) {
    load.record("charge", loadLimits.targetMs, nowMs - agoMs);
  }
}

/** Posts a call while the event loop is late; resolves when the call waits for the next turn. */
async function postWhileLate(key: string) {
  nextTurn = Promise.withResolvers();
  load.recordTurn(1_000, Number.POSITIVE_INFINITY);
  const answer = postChat(server, key, chatBody({ deltas: 1 }));
  const pump = await nextTurn.promise;
  load.recordTurn(0, Number.POSITIVE_INFINITY);
  return { answer, pump };
}

// This must be the first test: no call was refused yet, so there is no flood and no bound on the wait.
test("a call that arrives while the event loop is late waits for its turn and is answered", async () => {
  const account = await openAccount(server);
  const before = server.upstream.requests.length;
  const { answer, pump } = await postWhileLate(account.key);
  expect(server.upstream.requests.length).toBe(before);
  skewMs = 5_000;
  pump();
  skewMs = 0;
  const response = await answer;
  expect(response.status).toBe(200);
  await response.text();
});

for (const stream of [false, true]) {
  test(`stream ${stream}: while a queue does not move a call is refused with 503 and Retry-After`, async () => {
    const account = await openAccount(server);
    const before = server.upstream.requests.length;
    letQueueStand();
    const response = await postChat(server, account.key, chatBody({ deltas: 1 }, { stream }));
    expect(response.headers.get("retry-after")).toBe("2");
    expect(response.headers.get("x-request-id")).toMatch(/^req_/);
    expect(response.headers.get("x-should-retry")).toBe("true");
    await expectFault(response, { status: 503, type: "server_error", code: "overloaded" });
    expect(server.upstream.requests.length).toBe(before);
    letQueueStand();
    expect((await getPath(server, account.key, "/credits")).status).toBe(200);
    expect((await fetch(`${server.url}/livez`)).status).toBe(200);
  });
}

test("calls are admitted again once the queue is short", async () => {
  const account = await openAccount(server);
  letQueueStand();
  await expectFault(await postChat(server, account.key, chatBody({ deltas: 1 })), {
    status: 503,
    type: "server_error",
    code: "overloaded",
  });
  load.record("charge", 0);
  const response = await postChat(server, account.key, chatBody({ deltas: 1 }));
  expect(response.status).toBe(200);
  await response.text();
});

test("a call that would wait too long in a flood is refused with 503 and Retry-After", async () => {
  const account = await openAccount(server);
  const before = server.upstream.requests.length;
  const { answer, pump } = await postWhileLate(account.key);
  letQueueStand();
  expect(load.reasonToShed()).toBe("charge");
  load.record("charge", 0);
  skewMs = 5_000;
  pump();
  skewMs = 0;
  const response = await answer;
  expect(response.headers.get("retry-after")).toBe("2");
  await expectFault(response, { status: 503, type: "server_error", code: "overloaded" });
  expect(server.upstream.requests.length).toBe(before);
});

test("calls that were refused are counted by what was overloaded", async () => {
  const { metrics } = server.services;
  const count = async (reason: string) => {
    const { body } = await metrics.expose();
    return Number(
      new RegExp(`^turnpike_shed_calls_total{reason="${reason}"} (\\d+)`, "m").exec(body)?.[1],
    );
  };
  const account = await openAccount(server);
  const refuse = async () => {
    const response = await postChat(server, account.key, chatBody({ deltas: 1 }));
    expect(response.status).toBe(503);
    await response.text();
  };
  const before = {
    charge: await count("settle_wait"),
    memory: await count("memory"),
    eventLoop: await count("event_loop"),
  };
  letQueueStand();
  await refuse();
  load.record("charge", 0);
  load.recordMemory(1);
  await refuse();
  load.recordMemory(0);
  expect(await count("settle_wait")).toBe(before.charge + 1);
  expect(await count("memory")).toBe(before.memory + 1);
  expect(await count("hold_wait")).toBe(0);
  expect(await count("event_loop")).toBe(before.eventLoop);
});

test("a call of the playground is refused as well, before its session is looked up", async () => {
  letQueueStand();
  const response = await fetch(`${server.url}/console/playground`, {
    method: "POST",
    headers: { origin: server.url, "content-type": "application/json" },
    body: JSON.stringify(chatBody({ deltas: 1 })),
  });
  // Without a session it would be 401.
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ error: { code: "overloaded" } });
  load.record("charge", 0);
});

for (const [path, status, body] of [
  ["/v1/estimate", 503, chatBody({ deltas: 1 })],
  ["/v1/responses/input_tokens", 503, { model: "test/cheap", input: "hello" }],
  ["/v1/messages/count_tokens", 529, { ...chatBody({ deltas: 1 }), max_tokens: undefined }],
] as const) {
  const post = (key: string) =>
    fetch(`${server.url}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });

  test(`${path} is refused while calls are, before its key is looked up`, async () => {
    letQueueStand();
    const response = await post("sk-unknown");
    // Otherwise it would be 401.
    expect(response.status).toBe(status);
    expect(response.headers.get("retry-after")).toBe("2");
    await response.text();
    load.record("charge", 0);
  });

  test(`${path} waits for its turn while the event loop is late, and is answered`, async () => {
    const account = await openAccount(server);
    nextTurn = Promise.withResolvers();
    load.recordTurn(1_000, Number.POSITIVE_INFINITY);
    const answer = post(account.key);
    const pump = await nextTurn.promise;
    load.recordTurn(0, Number.POSITIVE_INFINITY);
    pump();
    const response = await answer;
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
  });
}
