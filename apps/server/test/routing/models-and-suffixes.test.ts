// Several models in one request: the next one answers if one fails, is named in the answer and billed; and
// the suffixes that request the cheapest or the fastest route.
import { expect, test } from "bun:test";
import { type AccountId, newId } from "@turnpike/base";
import { asObject, at, billCheap, expectFault, readEvents, readMoney } from "../harness/index.ts";
import {
  askRouted,
  countRequests,
  readGeneration,
  routed,
  scriptAll,
  useRoutedServer,
} from "./start-routed-server.ts";

const { server, account } = await useRoutedServer({ times: { retryJitterMs: 5 } });

test("models[]: the next model answers, is named and is billed", async () => {
  scriptAll(server, { a: { status: 500 } });
  const before = await readMoney(server, account.id);
  const response = await askRouted(server, account, { model: routed.a, models: [routed.b] });
  const body = asObject(await response.json());
  expect(body.model).toBe(routed.b);
  const after = await readMoney(server, account.id);
  expect(before.balanceNanos - after.balanceNanos).toBe(billCheap(body.usage));
  expect(await readGeneration(server, account, response)).toMatchObject({
    model: routed.b,
    provider_name: "b",
    attempts: [
      { provider: "a", model: "up-a" },
      { provider: "b", model: "up-b" },
    ],
  });
});

test("models[]: a stream of the next model names it in every chunk", async () => {
  scriptAll(server, { a: { status: 503 } });
  const models = [routed.a, routed.b];
  const response = await askRouted(server, account, {
    model: undefined,
    models,
    stream: true,
  });
  const { events, done } = await readEvents(response);
  expect(done).toBe(true);
  expect(new Set(events.map((event) => event.model))).toEqual(new Set([routed.b]));
});

test("models[]: a request that one model refuses is sent to the next one", async () => {
  const error = { message: "This model's maximum context length is 8 tokens.", code: "400" };
  scriptAll(server, { a: { status: 400, error } });
  const models = [routed.b];
  const response = await askRouted(server, account, { model: routed.a, models });
  expect(response.status).toBe(200);
  expect(at(await response.json(), "model")).toBe(routed.b);
});

const badRequest = { status: 400, error: { message: "Not like this.", code: "bad" } };

test.each([
  ["the first model refuses, then the second", { a: badRequest, b: badRequest }],
  ["the first model refuses, then the second fails", { a: badRequest, b: { status: 500 } }],
])(
  "models[]: %s: the other routes of a model that refused are not tried before the third model",
  async (_, scripts) => {
    scriptAll(server, scripts);
    const models = [routed.twice, routed.b, routed.c];
    const response = await askRouted(server, account, { model: undefined, models });
    expect(response.status).toBe(200);
    expect(at(await response.json(), "model")).toBe(routed.c);
    expect(await readGeneration(server, account, response)).toMatchObject({
      attempts: [{ model: "up" }, { model: "up-b" }, { model: "up-c" }],
    });
  },
);

test("models[]: a model whose context is too small for the prompt is not called, even if the others fail", async () => {
  scriptAll(server, { a: { status: 500 } });
  const before = countRequests(server);
  const messages = [{ role: "user", content: "hello ".repeat(200) }];
  const fields = { model: routed.a, models: [routed.small], messages };
  const failed = await askRouted(server, account, fields);
  await expectFault(failed, { status: 502, type: "upstream_error", code: "bad_gateway" });
  expect(countRequests(server)).toEqual({ ...before, a: before.a + 1 });
});

test.each([
  [{ models: ["test/unknown"] }, { status: 404, code: "model_not_found", param: "models" }],
  [{ models: "test/b" }, { status: 400, code: "invalid_type", param: "models" }],
  [{ models: [1] }, { status: 400, code: "invalid_type", param: "models[0]" }],
])("%j is refused by name", async (fields, fault) => {
  await expectFault(await askRouted(server, account, fields), fault);
});

test(":floor calls the cheapest route first and :nitro the fastest measured one; the answer has the plain name", async () => {
  const { routeHealth } = server.services.gateway;
  routeHealth.find("b", "up").measured(1_000_000, 1);
  for (const [suffix, provider] of [
    [":floor", "a"],
    [":nitro", "b"],
  ] as const) {
    const response = await askRouted(server, account, { model: `${routed.abc}${suffix}` });
    expect(at(await response.json(), "model")).toBe(routed.abc);
    const generation = await readGeneration(server, account, response);
    expect(generation).toMatchObject({ provider_name: provider });
  }
});

test("sort: price, latency and throughput choose the first route; the request's own sort overrides the suffix", async () => {
  const { routeHealth } = server.services.gateway;
  routeHealth.find("c", "up").succeeded(newId<AccountId>(), performance.now(), 0.001);
  routeHealth.find("b", "up").measured(1_000_000, 1);
  for (const [sort, provider] of [
    ["price", "a"],
    ["latency", "c"],
    ["throughput", "b"],
  ] as const) {
    const model = `${routed.abc}:floor`;
    const response = await askRouted(server, account, { model, provider: { sort } });
    expect(response.status).toBe(200);
    await response.text();
    const generation = await readGeneration(server, account, response);
    expect(generation).toMatchObject({ provider_name: provider });
  }
});

test("an unknown suffix is a model that does not exist", async () => {
  const unknown = await askRouted(server, account, { model: `${routed.abc}:fast` });
  await expectFault(unknown, { status: 404, code: "model_not_found" });
});
