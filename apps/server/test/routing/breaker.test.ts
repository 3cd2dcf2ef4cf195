// Routes that keep failing, or are at their concurrency limit: skipped immediately and without a hold,
// tried again by one call, and remembered by the next process.
import { expect, setDefaultTimeout, test } from "bun:test";
import { type SpawnedServer, spawnServer } from "@turnpike/testing";
import {
  chatBody,
  expectCleanBooks,
  expectFault,
  openAccount,
  openTestSite,
  postChat,
  readMoney,
  startTestServer,
  useServer,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";
import {
  askRouted,
  countRequests,
  readGeneration,
  routed,
  routedCatalog,
  scriptAll,
  startRoutedServer,
} from "./start-routed-server.ts";

setDefaultTimeout(180_000);

const nowhere = "http://127.0.0.1:1/v1";
const overloaded = { status: 503, type: "server_error", code: "overloaded" };
const badGateway = { status: 502, type: "upstream_error", code: "bad_gateway" };

const { server, account } = await useServer(
  startRoutedServer({ routeLimits: {}, times: { retryJitterMs: 1 } }),
);

test("FU25: with every route's breaker open a call is refused with the wait, without a hold and without an attempt", async () => {
  scriptAll(server, { a: { status: 500 } });
  for (let call = 0; call < 20; call += 1) {
    await expectFault(await askRouted(server, account, { model: routed.a }), badGateway);
  }
  const before = countRequests(server);
  const money = await readMoney(server, account.id);
  for (const stream of [false, true]) {
    const response = await askRouted(server, account, { model: routed.a, stream });
    await expectFault(response, overloaded);
    expect(Number(response.headers.get("retry-after"))).toBeLessThanOrEqual(60);
    const generation = await readGeneration(server, account, response);
    expect(generation).toMatchObject({ state: "refused", held_usd: "0", attempts: [] });
  }
  expect(countRequests(server)).toEqual(before);
  expect(await readMoney(server, account.id)).toEqual(money);
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  expect(metrics).toContain(
    'turnpike_upstream_attempts_total{provider="a",route="up-a",outcome="bad_gateway"} 20',
  );
});

test("a route with an open breaker is skipped, and answers again after one trial call", async () => {
  const opened = await startRoutedServer({
    routeLimits: { openMs: 1 },
    times: { retryJitterMs: 1 },
  });
  try {
    const payer = await openAccount(opened);
    scriptAll(opened, { a: { status: 500 } });
    for (let call = 0; call < 20; call += 1) await (await askRouted(opened, payer)).text();
    const health = opened.services.gateway.routeHealth.find("a", "up");
    expect(health.isOpen).toBe(true);
    scriptAll(opened);
    await eventually("the route to answer again", async () => {
      await (await askRouted(opened, payer)).text();
      return !health.isOpen;
    });
    const response = await askRouted(opened, payer);
    await response.text();
    expect(await readGeneration(opened, payer, response)).toMatchObject({ provider_name: "a" });
    await expectCleanBooks(opened);
  } finally {
    await opened.close();
  }
});

test("while every route is skipped, prompts are still counted and priced", async () => {
  const longMs = 3_600_000;
  const broken = await startRoutedServer({
    routeLimits: { openMs: longMs, openMaxMs: longMs },
    times: { retryJitterMs: 1 },
  });
  try {
    const payer = await openAccount(broken);
    scriptAll(broken, { a: { status: 500 } });
    for (let call = 0; call < 20; call += 1) {
      await (await askRouted(broken, payer, { model: routed.a })).text();
    }
    await expectFault(await askRouted(broken, payer, { model: routed.a }), overloaded);
    const before = countRequests(broken);
    const post = async (path: string) => {
      const answer = await fetch(`${broken.baseUrl}${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${payer.key}`, "content-type": "application/json" },
        body: JSON.stringify({
          model: routed.a,
          messages: [{ role: "user", content: "hello" }],
          max_tokens: 20,
        }),
      });
      return [answer.status, await answer.json()];
    };
    const counted = { input_tokens: expect.any(Number) };
    expect(await post("/messages/count_tokens")).toEqual([200, counted]);
    expect(await post("/estimate")).toMatchObject([200, { endpoints: [{ provider_name: "a" }] }]);
    expect(countRequests(broken)).toEqual(before);
  } finally {
    await broken.close();
  }
});

test("only a key whose requests make a provider fail is kept off it: the calls of others continue", async () => {
  const shared = await startRoutedServer({ routeLimits: {}, times: { retryJitterMs: 1 } });
  try {
    const [attacker, payer] = [await openAccount(shared), await openAccount(shared)];
    const health = shared.services.gateway.routeHealth.find("a", "up-a");
    for (let call = 0; call < 30; call += 1) {
      scriptAll(shared, { a: { status: 500 } });
      const failed = await askRouted(shared, attacker, { model: routed.a });
      await expectFault(failed, call < 20 ? badGateway : overloaded);
      scriptAll(shared);
      const answered = await askRouted(shared, payer, { model: routed.a });
      expect([call, answered.status]).toEqual([call, 200]);
      await answered.text();
      expect(health.isOpen).toBe(false);
    }
    await expectCleanBooks(shared);
  } finally {
    await shared.close();
  }
});

test("FU26: a slow upstream gets no more concurrent calls than its limit, and others are not delayed by it", async () => {
  const narrow = await startTestServer({
    catalog: (baseUrl) =>
      routedCatalog(baseUrl, baseUrl, baseUrl).replace("id: a,", "id: a, maxConcurrent: 8,"),
  });
  try {
    const payer = await openAccount(narrow);
    const ask = (model: string, fields = {}) =>
      postChat(narrow, payer.key, { ...chatBody({ deltas: 1, ...fields }), model });
    const slow = Array.from({ length: 8 }, () => ask(routed.a, { gate: true, tag: "slow" }));
    await eventually("eight calls to wait", async () => {
      return narrow.upstream.requests.length === 8;
    });
    const refused = await ask(routed.a);
    await expectFault(refused, overloaded);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect((await ask(routed.b)).status).toBe(200);
    narrow.upstream.open("slow");
    for (const answer of await Promise.all(slow)) expect(answer.status).toBe(200);
    expect((await ask(routed.a)).status).toBe(200);
    await expectCleanBooks(narrow);
  } finally {
    await narrow.close();
  }
});

const brokenRoutes: readonly (readonly [string, number, string | undefined])[] = [
  ["cannot be reached", 5, nowhere],
  ["answers 500 to the only account that calls it", 20, undefined],
];

test.each(brokenRoutes)(
  "what a server knows of a route that %s survives its restart; another server without that knowledge continues",
  async (_, failures, address) => {
    const site = await openTestSite({
      catalog: (baseUrl) => routedCatalog(address ?? baseUrl, baseUrl, baseUrl),
      environment: { DRAIN_NOTICE_MS: "0" },
    });
    const running: SpawnedServer[] = [];
    const start = async () => {
      const spawned = await spawnServer(site.environment);
      running.push(spawned);
      return spawned;
    };
    try {
      const payer = await openAccount(site);
      site.upstream.script(({ headers }) =>
        headers.authorization === "Bearer key-of-a-0123456789" ? { status: 500 } : { deltas: 1 },
      );
      const messages = [{ role: "user", content: "hello" }];
      const body = { model: routed.a, messages };
      const [first, second] = [await start(), await start()];
      for (let call = 0; call < failures; call += 1) {
        await expectFault(await postChat(first, payer.key, body), badGateway);
      }
      await expectFault(await postChat(first, payer.key, body), overloaded);
      await eventually("the breaker to be saved", async () => {
        const rows = await site.owner.sql`
        select 1 from route_health where provider = 'a' and open_until > now()`;
        return rows.length === 1;
      });
      await first.kill("SIGTERM");
      await expectFault(await postChat(second, payer.key, body), badGateway);
      // However long the start takes: what is read stays open for a minute at most.
      await site.owner.sql`
        update route_health set open_until = now() + interval '10 minutes' where provider = 'a'`;
      const restarted = await start();
      const response = await postChat(restarted, payer.key, body);
      await expectFault(response, overloaded);
      expect(Number(response.headers.get("retry-after"))).toBeLessThanOrEqual(60);
      const other = { ...body, model: routed.abc };
      expect((await postChat(restarted, payer.key, other)).status).toBe(200);
    } finally {
      await Promise.all(running.map((spawned) => spawned.kill("SIGTERM")));
      await expectCleanBooks(site);
      await site.close();
    }
  },
);
