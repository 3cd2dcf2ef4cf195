// Batches as Anthropic's client for JavaScript leaves and reads them: created with their calls, listed, cancelled, deleted, and their results
// read as a stream.
import { expect, test } from "bun:test";
import Anthropic from "@anthropic-ai/sdk";
import { useFiles } from "../files/use-files.fixture.ts";
import {
  at,
  catchError,
  openAccount,
  readCharges,
  readJson,
  scripted,
  startTestServer,
  type TestAccount,
  testModels,
  useServer,
} from "../harness/index.ts";
import { readDescription } from "../management/expect-described.fixture.ts";
import { batchesEnvironment, batchesTimes, useBatches } from "./use-batches.fixture.ts";

const { server, account } = await useServer(
  startTestServer({ environment: batchesEnvironment, serverTimes: batchesTimes }),
);
const { ask, post, makeDue } = useBatches(server, () => server.baseUrl);
const { openOtherProject } = useFiles(server);

const expectDescribed = await readDescription(server);

const clientOf = ({ key }: Pick<TestAccount, "key">) =>
  new Anthropic({ apiKey: key, baseURL: server.url, maxRetries: 0 });

type BatchRequest = Anthropic.Messages.BatchCreateParams.Request;

function call(custom_id: string, script = {}, fields = {}): BatchRequest {
  const params = { model: testModels.cheap, max_tokens: 100, messages: [scripted(script)] };
  return { custom_id, params: { ...params, ...fields } };
}

async function awaitEnd(client: Anthropic, id: string): Promise<Anthropic.Messages.MessageBatch> {
  for (;;) {
    const batch = await client.messages.batches.retrieve(id);
    if (batch.processing_status === "ended") return batch;
    await Bun.sleep(50);
  }
}

async function readResults(client: Anthropic, id: string) {
  const results = new Map<string, Anthropic.Messages.MessageBatchResult>();
  for await (const { custom_id, result } of await client.messages.batches.results(id)) {
    results.set(custom_id, result);
  }
  return results;
}

const noneOf = { processing: 0, succeeded: 0, errored: 0, canceled: 0, expired: 0 };

test("a batch of messages is run, and its results are read as a stream, each charged once", async () => {
  const ada = await openAccount(server);
  const client = clientOf(ada);
  const requests = [
    call("first", { deltas: 3 }),
    call("second", { deltas: 5 }),
    call("unknown model", {}, { model: "test/none" }),
  ];
  const created = await client.messages.batches.create({ requests });
  expect(created.id).toMatch(/^msgbatch_[0-9a-f]{32}$/);
  expect(created).toMatchObject({
    type: "message_batch",
    processing_status: "in_progress",
    request_counts: { ...noneOf, processing: 3 },
    results_url: null,
    ended_at: null,
    archived_at: null,
    cancel_initiated_at: null,
  });
  const lifeMs = Date.parse(created.expires_at) - Date.parse(created.created_at);
  expect(lifeMs).toBe(86_400_000);
  const batch = await awaitEnd(client, created.id);
  expect(batch.request_counts).toEqual({ ...noneOf, succeeded: 2, errored: 1 });
  expect(Date.parse(batch.ended_at ?? "")).toBeGreaterThan(Date.parse(batch.created_at));
  const results = await readResults(client, created.id);
  expect(results.get("first")).toMatchObject({
    type: "succeeded",
    message: {
      type: "message",
      role: "assistant",
      content: [{ type: "text", text: " tok tok tok" }],
      usage: { output_tokens: 3 },
    },
  });
  expect(results.get("second")?.type).toBe("succeeded");
  expect(results.get("unknown model")).toMatchObject({
    type: "errored",
    error: { type: "error", error: { type: "not_found_error" } },
  });
  expect(results.size).toBe(3);
  expect(await readCharges(server, ada)).toHaveLength(2);
  const path = `/messages/batches/${created.id}`;
  const head = await ask(ada.key, `${path}/results`, { method: "HEAD" });
  expect(head.headers.get("content-type")).toBe("application/x-jsonl");
  const body = await readJson(await ask(ada.key, path));
  expectDescribed("GET /messages/batches/{id}", { status: 200, body });
  const list = await readJson(await ask(ada.key, "/messages/batches"));
  expectDescribed("GET /messages/batches", { status: 200, body: list });
});

test("a cancelled batch ends, with a result for each call that did not run", async () => {
  const poor = await openAccount(server, { usd: "0" });
  const client = clientOf(poor);
  const requests = [call("a"), call("b")];
  const { id } = await client.messages.batches.create({ requests });
  const canceled = await client.messages.batches.cancel(id);
  expect(canceled).toMatchObject({ id, cancel_initiated_at: expect.any(String) });
  await makeDue(poor.id);
  const batch = await awaitEnd(client, id);
  expect(batch.request_counts).toEqual({ ...noneOf, canceled: 2 });
  const results = await readResults(client, id);
  expect([...results.values()]).toEqual([{ type: "canceled" }, { type: "canceled" }]);
});

test("calls that could not run within the window have expired", async () => {
  const poor = await openAccount(server, { usd: "0" });
  const client = clientOf(poor);
  const { id } = await client.messages.batches.create({ requests: [call("a")] });
  await server.owner.sql`update batches set expires_at = now() where account_id = ${poor.id}`;
  await makeDue(poor.id);
  const batch = await awaitEnd(client, id);
  expect(batch.request_counts).toEqual({ ...noneOf, expired: 1 });
  expect(await readResults(client, id)).toEqual(new Map([["a", { type: "expired" }]]));
});

test("batches are listed newest first, in pages of both directions", async () => {
  const ada = await openAccount(server);
  const client = clientOf(ada);
  const ids: string[] = [];
  for (const name of ["a", "b", "c"]) {
    ids.unshift((await client.messages.batches.create({ requests: [call(name)] })).id);
  }
  const listed: string[] = [];
  for await (const { id } of client.messages.batches.list({ limit: 1 })) listed.push(id);
  expect(listed).toEqual(ids);
  const newer = await client.messages.batches.list({ limit: 1, before_id: ids[2] ?? "" });
  expect(newer).toMatchObject({ first_id: ids[1], last_id: ids[1], has_more: true });
  for (const id of ids) await awaitEnd(client, id);
});

test("a batch is deleted once it has ended, with its files", async () => {
  const ada = await openAccount(server);
  const client = clientOf(ada);
  const { id } = await client.messages.batches.create({
    requests: [call("a", { gate: true, tag: "delete" })],
  });
  const early = await catchError(client.messages.batches.delete(id));
  expect([at(early, "status"), at(early, "error.type")]).toEqual([409, "error"]);
  server.upstream.open("delete");
  await awaitEnd(client, id);
  expect(await client.messages.batches.delete(id)).toEqual({ id, type: "message_batch_deleted" });
  expect(at(await catchError(client.messages.batches.retrieve(id)), "status")).toBe(404);
  expect(await readJson(await ask(ada.key, "/files"))).toMatchObject({ data: [] });
});

test.each<[string, unknown, string]>([
  ["no requests", {}, "requests"],
  ["an empty list", { requests: [] }, "requests"],
  ["a request without a name", { requests: [{ params: {} }] }, "requests.0.custom_id"],
  ["a request without params", { requests: [{ custom_id: "a" }] }, "requests.0.params"],
  ["the same name twice", { requests: [call("a"), call("a")] }, "requests.1.custom_id"],
  ["a stream", { requests: [call("a", {}, { stream: true })] }, "requests.0.params.stream"],
])("a batch with %s is refused, and nothing of it is kept", async (_, body, place) => {
  const answer = await post(account.key, "/messages/batches", body);
  const refused = await readJson(answer);
  expect([answer.status, refused.type]).toEqual([400, "error"]);
  expect(at(refused, "error.type")).toBe("invalid_request_error");
  expect(String(at(refused, "error.message"))).toContain(place);
  expect(await readJson(await ask(account.key, "/files"))).toMatchObject({ data: [] });
});

test("keys of another account, another project and clients of another form do not see it", async () => {
  const ada = await openAccount(server);
  const client = clientOf(ada);
  const { id } = await client.messages.batches.create({ requests: [call("a")] });
  const others = [await openAccount(server), { key: await openOtherProject(ada) }];
  for (const other of others.map(clientOf)) {
    for (const attempt of [
      other.messages.batches.retrieve(id),
      other.messages.batches.cancel(id),
      other.messages.batches.delete(id),
    ]) {
      expect(at(await catchError(attempt), "status")).toBe(404);
    }
    expect((await other.messages.batches.list()).data).toEqual([]);
  }
  const asOpenai = await ask(ada.key, `/batches/${id.replace("msgbatch", "batch")}`);
  expect(asOpenai.status).toBe(404);
  expect(await readJson(await ask(ada.key, "/batches"))).toMatchObject({ data: [] });
  await awaitEnd(client, id);
});
