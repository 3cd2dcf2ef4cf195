// Batches in OpenRouter's form: their calls are in the request, and their results in the answer.
import { expect, test } from "bun:test";
import { formatUsd, toNanos } from "@turnpike/terms";
import {
  at,
  billCheap,
  chatBody,
  expectFault,
  type JsonObject,
  openAccount,
  readCharges,
  readJson,
  scripted,
  startTestServer,
  testModels,
  useServer,
} from "../harness/index.ts";
import { readDescription } from "../management/expect-described.fixture.ts";
import { batchesEnvironment, batchesTimes, useBatches } from "./use-batches.fixture.ts";

const { server, account } = await useServer(
  startTestServer({ environment: batchesEnvironment, serverTimes: batchesTimes }),
);
const { ask, post, create, read, awaitOver } = useBatches(server, () => server.baseUrl);

const expectDescribed = await readDescription(server);
const model = testModels.cheap;

function call(custom_id: string, body: JsonObject = {}): JsonObject {
  return { custom_id, body: { messages: [scripted({ deltas: 3 })], ...body } };
}

const fieldsOf = (requests: unknown): JsonObject => ({
  endpoint: "/v1/chat/completions",
  model,
  requests,
});

test("a batch is accepted, run, and answered with its results, each charged once", async () => {
  const ada = await openAccount(server);
  const requests = [call("one"), call("two", { model }), call("wrong", { temperature: "hot" })];
  const accepted = await post(ada.key, "/batches", fieldsOf(requests));
  expect(accepted.status).toBe(202);
  const created = await readJson(accepted);
  const id = String(created.id);
  expect(created).toMatchObject({
    id: expect.stringMatching(/^batch_[0-9a-f]{32}$/),
    object: "batch",
    status: "validating",
    model,
    request_counts: { total: 3, completed: 0, failed: 0 },
    usage: null,
    results: null,
    error: null,
  });
  const batch = await awaitOver(ada.key, id);
  expect(batch).toMatchObject({
    status: "completed",
    finalized_at: expect.any(Number),
    request_counts: { total: 3, completed: 2, failed: 1 },
  });
  expect(batch.results).toMatchObject([
    { custom_id: "one", response: { status_code: 200 }, error: null },
    { custom_id: "two", response: { status_code: 200 }, error: null },
    { custom_id: "wrong", response: null, error: { message: expect.any(String) } },
  ]);
  expectDescribed("GET /batches/{id}", { status: 200, body: await read(ada.key, id) });
  const billed = ["results.0", "results.1"].map((place) =>
    billCheap(at(batch, `${place}.response.body.usage`)),
  );
  expect((await readCharges(server, ada)).toSorted()).toEqual(billed.toSorted());
  const cost = Number(billed.reduce((sum, one) => sum + one, 0n)) / 1e9;
  expect(batch.usage).toMatchObject({ completion_tokens: 6, cost, is_byok: false });
  const list = await readJson(await ask(ada.key, "/batches"));
  expectDescribed("GET /batches", { status: 200, body: list });
  expect(list).toMatchObject({ data: [{ id, results: null }] });
});

test("the endpoints of an account are told once that a batch is over, however it ended", async () => {
  const ada = await openAccount(server);
  const { sql } = server.owner;
  // Nothing is sent there: it is no public address.
  await sql`insert into webhook_endpoints (account_id, id, url, secret)
    values (${ada.id}, gen_random_uuid(), 'https://127.0.0.1:9/', '\\x00')`;
  const ok = await readJson(await post(ada.key, "/batches", fieldsOf([call("a")])));
  await awaitOver(ada.key, ok.id);
  const wrong = await create(ada.key, "no JSON");
  await awaitOver(ada.key, wrong.id);
  const [charge = 0n] = await readCharges(server, ada);
  const events = await sql<{ body: string }[]>`
    select body from webhook_events where account_id = ${ada.id} order by id`;
  expect(events.map(({ body }) => JSON.parse(body))).toMatchObject(
    [
      [ok.id, "completed", { total: 1, completed: 1, failed: 0 }, formatUsd(toNanos(charge))],
      [wrong.id, "failed", { total: 0, completed: 0, failed: 0 }, "0"],
    ].map(([id, status, request_counts, cost_usd]) => ({
      type: "batch.completed",
      account_id: ada.id,
      data: { batch: { id, status, request_counts, cost_usd } },
    })),
  );
});

test("OpenRouter's own path is served as well", async () => {
  const ada = await openAccount(server);
  const at = (path: string, init: RequestInit = {}) =>
    fetch(`${server.url}/api/beta/batches${path}`, {
      ...init,
      headers: { "content-type": "application/json", authorization: `Bearer ${ada.key}` },
    });
  const body = JSON.stringify(fieldsOf([call("a")]));
  const { id } = await readJson(await at("", { method: "POST", body }));
  await awaitOver(ada.key, id);
  expect(await readJson(await at(`/${id}`))).toMatchObject({
    status: "completed",
    results: [{ custom_id: "a" }],
  });
  expect((await at(`/${id}/cancel`, { method: "POST" })).status).toBe(200);
  expect(await readJson(await at(`/${id}`, { method: "DELETE" }))).toMatchObject({ id });
});

test("a batch is deleted once it is over, with its files", async () => {
  const ada = await openAccount(server);
  const body = chatBody({ gate: true, tag: "delete openrouter" });
  const requests = [{ custom_id: "a", body }];
  const { id } = await readJson(await post(ada.key, "/batches", fieldsOf(requests)));
  const remove = () => ask(ada.key, `/batches/${id}`, { method: "DELETE" });
  await expectFault(await remove(), { status: 409, code: "conflict" });
  server.upstream.open("delete openrouter");
  await awaitOver(ada.key, id);
  const deleted = await readJson(await remove());
  expectDescribed("DELETE /batches/{id}", { status: 200, body: deleted });
  expect(deleted).toMatchObject({ id, deletion: { openrouter: "deleted" } });
  expect((await ask(ada.key, `/batches/${id}`)).status).toBe(404);
  expect(await readJson(await ask(ada.key, "/files"))).toMatchObject({ data: [] });
});

test.each<[string, object, string, string]>([
  ["no model", { model: undefined }, "missing_required_parameter", "model"],
  ["an endpoint of another kind", { endpoint: "/v1/moderations" }, "invalid_value", "endpoint"],
  ["another window", { completion_window: "1h" }, "invalid_value", "completion_window"],
  [
    "another model in a call",
    { requests: [call("a", { model: "test/other" })] },
    "invalid_value",
    "requests[0].body.model",
  ],
  [
    "a call without a body",
    { requests: [{ custom_id: "a" }] },
    "missing_required_parameter",
    "requests[0].body",
  ],
  ["an unknown field", { metadata: {} }, "invalid_value", "metadata"],
])("a batch with %s is refused", async (_, fields, code, param) => {
  const answer = await post(account.key, "/batches", { ...fieldsOf([call("a")]), ...fields });
  await expectFault(answer, { status: 400, code, param });
});

test("calls of a batch are counted as a body, and refused beyond its bound", async () => {
  const large = call("a", { messages: [{ role: "user", content: "x".repeat(21 * 1_048_576) }] });
  const answer = await post(account.key, "/batches", fieldsOf([large]));
  await expectFault(answer, { status: 413, code: "request_too_large" });
});
