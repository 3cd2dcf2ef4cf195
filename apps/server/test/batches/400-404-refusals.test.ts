// What is no batch is refused at once or fails with the numbers of its wrong lines, without a call; and nobody sees the batches of others.
import { afterEach, expect, test } from "bun:test";
import { useFiles } from "../files/use-files.fixture.ts";
import {
  expectFault,
  openAccount,
  readJson,
  startTestServer,
  useServer,
} from "../harness/index.ts";
import { batchesEnvironment, batchesTimes, chatLine, useBatches } from "./use-batches.fixture.ts";

const { server, account } = await useServer(
  startTestServer({
    environment: { ...batchesEnvironment, FILES_MIB_PER_ACCOUNT: "1" },
    serverTimes: batchesTimes,
  }),
);
const { ask, post, create, upload, awaitOver } = useBatches(server, () => server.baseUrl);
const { openOtherProject } = useFiles(server);
const { key } = account;
const otherKey = await openOtherProject(account);
afterEach(() => expect(server.upstream.requests.length).toBe(0));

const line = (fields: object) =>
  JSON.stringify({
    custom_id: "x",
    method: "POST",
    url: "/v1/chat/completions",
    body: {},
    ...fields,
  });
const good = chatLine("good");

test.each<[string, string, string, string | null, number | null]>([
  ["no JSON", `${good}\n{"custom_id":`, "invalid_json_line", null, 2],
  ["no object", `[]\n${good}`, "invalid_json_line", null, 1],
  ["JSON that is nested too deep", `${"[".repeat(30_000)}\n`, "invalid_json_line", null, 1],
  ["no custom_id", line({ custom_id: undefined }), "missing_required_parameter", "custom_id", 1],
  ["an empty custom_id", line({ custom_id: "" }), "invalid_custom_id", "custom_id", 1],
  ["the same custom_id again", `${good}\r\n\r\n${good}`, "duplicate_custom_id", "custom_id", 3],
  ["another method", line({ method: "GET" }), "invalid_method", "method", 1],
  ["the url of another endpoint", line({ url: "/v1/embeddings" }), "invalid_url", "url", 1],
  ["a url elsewhere", line({ url: "https://example.com" }), "invalid_url", "url", 1],
  ["no body", line({ body: undefined }), "missing_required_parameter", "body", 1],
  ["a body that is no object", line({ body: [] }), "invalid_type", "body", 1],
  ["a stream", line({ body: { stream: true } }), "unsupported_parameter", "body.stream", 1],
  ["blank lines only", "\n\r\n \n", "empty_file", null, null],
])("a file with %s fails, and no line of it runs", async (_, text, code, param, number) => {
  const batch = await awaitOver(key, (await create(key, text)).id);
  expect(batch).toMatchObject({
    status: "failed",
    failed_at: expect.any(Number),
    errors: { object: "list", data: [{ code, param, line: number, message: expect.any(String) }] },
    output_file_id: null,
    error_file_id: null,
  });
  const rows = await server.owner.sql`select 1 from batch_lines where account_id = ${account.id}`;
  expect(rows).toHaveLength(0);
});

test("each wrong line is named, and none of them is repeated", async () => {
  const wrong = line({ method: "GET", body: { secret: "in the line" } });
  const batch = await awaitOver(key, (await create(key, `${wrong}\n${good}\n${wrong}`)).id);
  expect(batch).toMatchObject({ errors: { data: [{ line: 1 }, { line: 3 }] } });
  expect(JSON.stringify(batch)).not.toContain("in the line");
});

test("a batch whose file was deleted before it is read fails", async () => {
  const known = await create(key, "{}");
  await awaitOver(key, known.id);
  // As if it had been created before its file was deleted.
  const [row] = await server.owner.sql<{ id: string }[]>`
    insert into batches (account_id, id, project_id, key_id, endpoint, input_object_id, input_bytes, output_kept_seconds, expires_at)
    select account_id, gen_random_uuid(), project_id, key_id, endpoint, gen_random_uuid(), input_bytes, output_kept_seconds, expires_at
      from batches where account_id = ${account.id} limit 1
    returning id`;
  const id = `batch_${row?.id.replaceAll("-", "")}`;
  expect(await awaitOver(key, id)).toMatchObject({
    status: "failed",
    errors: { data: [{ code: "invalid_file", line: null }] },
  });
});

test.each<[string, object, string, string]>([
  ["no file", { input_file_id: undefined }, "missing_required_parameter", "input_file_id"],
  [
    "an unknown file",
    { input_file_id: `file-${"0".repeat(32)}` },
    "invalid_value",
    "input_file_id",
  ],
  ["no endpoint", { endpoint: undefined }, "missing_required_parameter", "endpoint"],
  ["an endpoint without batches", { endpoint: "/v1/audio/speech" }, "invalid_value", "endpoint"],
  ["another window", { completion_window: "1h" }, "invalid_value", "completion_window"],
  ["metadata that is no text", { metadata: { n: 1 } }, "invalid_type", "metadata"],
  ["an unknown field", { model: "test/cheap" }, "invalid_value", "model"],
  [
    "a short time for its results",
    { output_expires_after: { anchor: "created_at", seconds: 60 } },
    "integer_below_min_value",
    "output_expires_after.seconds",
  ],
])("a batch with %s is refused", async (_, fields, code, param) => {
  const input_file_id = await upload(key, good);
  const whole = { input_file_id, endpoint: "/v1/chat/completions", completion_window: "24h" };
  await expectFault(await post(key, "/batches", { ...whole, ...fields }), {
    status: 400,
    code,
    param,
  });
});

test("a file of another purpose, project or account is refused", async () => {
  const eve = await openAccount(server);
  const files = [
    await upload(key, good, "user_data"),
    await upload(eve.key, good),
    await upload(otherKey, good),
  ];
  for (const input_file_id of files) {
    const fields = { input_file_id, endpoint: "/v1/chat/completions", completion_window: "24h" };
    const refused = { status: 400, code: "invalid_value", param: "input_file_id" };
    await expectFault(await post(key, "/batches", fields), refused);
  }
});

test("keys of another account and of another project get 404, as for an id that never existed", async () => {
  const batch = await create(key, "{}");
  const eve = await openAccount(server);
  const texts = new Set<string>();
  for (const other of [eve.key, otherKey]) {
    for (const [path, method] of [
      [`/${batch.id}`, "GET"],
      [`/${batch.id}/cancel`, "POST"],
      [`/batch_${"0".repeat(32)}`, "GET"],
      ["/batch_1/cancel", "POST"],
    ] as const) {
      const answer = await ask(other, `/batches${path}`, { method });
      const fault = await expectFault(answer, { status: 404, code: "not_found", param: "id" });
      texts.add(String(fault.message));
    }
    expect(await readJson(await ask(other, "/batches"))).toMatchObject({ data: [] });
  }
  expect(texts.size).toBe(1);
  await awaitOver(key, batch.id);
});

test("batches that are not over have together at most the bytes that an account may keep", async () => {
  const poor = await openAccount(server, { usd: "0" });
  const input_file_id = await upload(poor.key, good + " ".repeat(600_000));
  const fields = { input_file_id, endpoint: "/v1/chat/completions", completion_window: "24h" };
  const { id } = await readJson(await post(poor.key, "/batches", fields));
  const full = { status: 429, type: "requests", code: "rate_limit_exceeded" };
  await expectFault(await post(poor.key, "/batches", fields), full);
  await post(poor.key, `/batches/${id}/cancel`, {});
  await awaitOver(poor.key, id);
  const next = await readJson(await post(poor.key, "/batches", fields));
  await post(poor.key, `/batches/${next.id}/cancel`, {});
  await awaitOver(poor.key, next.id);
});
