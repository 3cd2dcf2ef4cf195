// The life of a batch: left, read line by line, run at its key's expense, and answered in files; cancelled, expired, paused without money.
import { expect, test } from "bun:test";
import {
  answerWith,
  at,
  billCheap,
  findSchemaProblems,
  openAccount,
  readCharges,
  readJson,
  startTestServer,
  testModels,
  topUp,
  useServer,
} from "../harness/index.ts";
import { readDescription } from "../management/expect-described.fixture.ts";
import { eventually } from "../money/read-requests.ts";
import { batchesEnvironment, batchesTimes, chatLine, useBatches } from "./use-batches.fixture.ts";

const { server, account } = await useServer(
  startTestServer({ environment: batchesEnvironment, serverTimes: batchesTimes }),
);
const batches = useBatches(server, () => server.baseUrl);
const { ask, post, create, read, readResults, awaitBatch, awaitOver, makeDue } = batches;

const expectDescribed = await readDescription(server);

test("a batch is accepted, run, and answered in a file, each line charged once as an ordinary call", async () => {
  const ada = await openAccount(server);
  const lines = [chatLine("first", { deltas: 3 }), chatLine("second", { deltas: 7 })].join("\n");
  const accepted = await create(ada.key, lines, { metadata: { job: "nightly" } });
  const id = String(accepted.id);
  expect(id).toMatch(/^batch_[0-9a-f]{32}$/);
  expect(accepted).toMatchObject({
    object: "batch",
    endpoint: "/v1/chat/completions",
    status: "validating",
    completion_window: "24h",
    output_file_id: null,
    metadata: { job: "nightly" },
    request_counts: { total: 0, completed: 0, failed: 0 },
  });
  expect(Number(accepted.expires_at)).toBe(Number(accepted.created_at) + 86_400);
  const batch = await awaitOver(ada.key, id);
  const outputId = batch.output_file_id;
  expect(batch).toMatchObject({
    status: "completed",
    errors: null,
    error_file_id: null,
    request_counts: { total: 2, completed: 2, failed: 0 },
    in_progress_at: expect.any(Number),
    finalizing_at: expect.any(Number),
    completed_at: expect.any(Number),
    failed_at: null,
    metadata: { job: "nightly" },
  });
  expectDescribed("GET /batches/{id}", { status: 200, body: await read(ada.key, id) });
  const results = await readResults(ada.key, outputId);
  expect([...results.keys()]).toEqual(["first", "second"]);
  const sums = { input: 0, output: 0 };
  let billed = 0n;
  for (const line of results.values()) {
    expect(line).toMatchObject({
      id: expect.stringMatching(/^batch_req_[0-9a-f]{32}$/),
      response: { status_code: 200, request_id: expect.stringMatching(/^req_[0-9a-f]{32}$/) },
      error: null,
    });
    expect(findSchemaProblems("CreateChatCompletionResponse", at(line, "response.body"))).toEqual(
      [],
    );
    const usage = at(line, "response.body.usage");
    billed += billCheap(usage);
    sums.input += Number(at(usage, "prompt_tokens"));
    sums.output += Number(at(usage, "completion_tokens"));
  }
  expect(batch.usage).toEqual({
    input_tokens: sums.input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: sums.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: sums.input + sums.output,
    cost: Number(billed) / 1e9,
  });
  const charges = await readCharges(server, ada);
  expect([charges.length, charges.reduce((sum, charge) => sum + charge, 0n)]).toEqual([2, billed]);
  const file = await readJson(await ask(ada.key, `/files/${outputId}`));
  expect(file).toMatchObject({
    purpose: "batch_output",
    filename: `${id}_output.jsonl`,
    expires_at: expect.any(Number),
  });
  const rows = await server.owner.sql`select 1 from batch_lines where account_id = ${ada.id}`;
  expect(rows).toHaveLength(0);
});

test("a byte order mark, CRLF, a blank last line and a last line without an end are no mistakes", async () => {
  const lines = `\uFEFF${chatLine("a")}\r\n${chatLine("b")}\r\n\r\n${chatLine("c")}`;
  const batch = await awaitOver(account.key, (await create(account.key, lines)).id);
  expect(batch).toMatchObject({ status: "completed", request_counts: { total: 3, completed: 3 } });
});

test.each([
  ["/v1/responses", { model: testModels.cheap, input: "hello" }, "response"],
  [
    "/v1/messages",
    { model: testModels.cheap, max_tokens: 9, messages: [{ role: "user", content: "hello" }] },
    undefined,
  ],
  ["/v1/completions", { model: testModels.cheap, prompt: "hello" }, "text_completion"],
  ["/v1/embeddings", { model: testModels.embeddings, input: "hello" }, "list"],
  ["/v1/moderations", { model: testModels.moderation, input: "hello" }, undefined],
])("lines are sent to %s", async (endpoint, body, object) => {
  const line = JSON.stringify({ custom_id: "one", method: "POST", url: endpoint, body });
  const batch = await awaitOver(account.key, (await create(account.key, line, { endpoint })).id);
  expect(batch).toMatchObject({ status: "completed", endpoint });
  const answer = (await readResults(account.key, batch.output_file_id)).get("one");
  expect(at(answer, "response.status_code")).toBe(200);
  expect(at(answer, "response.body.object")).toBe(object);
});

test("a line that is refused is in the file of errors, as the call would have been answered, and costs nothing", async () => {
  const ada = await openAccount(server);
  const lines = [
    chatLine("good"),
    chatLine("unknown model", {}, { model: "test/none" }),
    chatLine("wrong field", {}, { temperature: "hot" }),
  ].join("\n");
  const batch = await awaitOver(ada.key, (await create(ada.key, lines)).id);
  expect(batch).toMatchObject({
    status: "completed",
    request_counts: { total: 3, completed: 1, failed: 2 },
  });
  expect([...(await readResults(ada.key, batch.output_file_id)).keys()]).toEqual(["good"]);
  const errors = await readResults(ada.key, batch.error_file_id);
  expect([...errors.keys()]).toEqual(["unknown model", "wrong field"]);
  expect(errors.get("unknown model")).toMatchObject({
    response: { status_code: 404, body: { error: { code: "model_not_found" } } },
    error: null,
  });
  expect(at(errors.get("wrong field"), "response.status_code")).toBe(400);
  expect(await readCharges(server, ada)).toHaveLength(1);
});

test("a provider that fails is asked again later, and the line that is answered then is charged", async () => {
  const ada = await openAccount(server);
  answerWith(server, { status: 500 }, { status: 500 }, { status: 500 });
  const { id } = await create(
    ada.key,
    JSON.stringify({
      custom_id: "one",
      method: "POST",
      url: "/v1/chat/completions",
      body: { model: testModels.cheap, messages: [{ role: "user", content: "hello" }] },
    }),
  );
  const batch = await awaitBatch(ada.key, id, async ({ status }) => {
    if (status === "in_progress") await makeDueWaiting(ada.id);
    return status === "completed";
  });
  expect(batch).toMatchObject({ request_counts: { completed: 1, failed: 0 } });
  expect(await readCharges(server, ada)).toHaveLength(1);
});

/** Lines that wait after a failure, and not those that run. */
async function makeDueWaiting(accountId: string): Promise<void> {
  await server.owner.sql`update batch_lines set due_at = now()
    where account_id = ${accountId} and state = 'waiting' and claimed_until is null`;
}

test("a cancelled batch starts no line any more; those that ran are answered and charged", async () => {
  const ada = await openAccount(server);
  const names = Array.from({ length: 10 }, (_, index) => `cancel ${index}`);
  const lines = names.map((tag) => chatLine(tag, { tag, gate: true })).join("\n");
  const { id } = await create(ada.key, lines);
  const running = () => server.upstream.requests.filter(({ tag }) => tag?.startsWith("cancel "));
  // As many as may run at once.
  await awaitBatch(ada.key, id, () => running().length === 8);
  const cancelled = await readJson(await post(ada.key, `/batches/${id}/cancel`, {}));
  expect(cancelled).toMatchObject({ status: "cancelling", cancelling_at: expect.any(Number) });
  for (const name of names) server.upstream.open(name);
  const batch = await awaitOver(ada.key, id);
  expect(batch).toMatchObject({
    status: "cancelled",
    cancelled_at: expect.any(Number),
    request_counts: { total: 10, completed: 8, failed: 0 },
  });
  expect((await readResults(ada.key, batch.output_file_id)).size).toBe(8);
  const errors = await readResults(ada.key, batch.error_file_id);
  expect([...errors.values()].map((line) => at(line, "error.code"))).toEqual([
    "batch_cancelled",
    "batch_cancelled",
  ]);
  expect(await readCharges(server, ada)).toHaveLength(8);
  const again = await post(ada.key, `/batches/${id}/cancel`, {});
  expect([again.status, (await readJson(again)).status]).toEqual([200, "cancelled"]);
});

test("without money a batch waits, and goes on once there is some", async () => {
  const poor = await openAccount(server, { usd: "0" });
  const { id } = await create(poor.key, [chatLine("a"), chatLine("b")].join("\n"));
  await awaitBatch(poor.key, id, async () => {
    const [row] = await server.owner.sql<{ by: string | null }[]>`
      select paused_by as by from batches where account_id = ${poor.id}`;
    return row?.by === "insufficient_quota";
  });
  expect(await read(poor.key, id)).toMatchObject({
    status: "in_progress",
    request_counts: { total: 2, completed: 0, failed: 0 },
  });
  await topUp(server, poor.id, "1");
  const batch = await awaitBatch(poor.key, id, async ({ status }) => {
    if (status === "in_progress")
      await server.owner.sql`
      update batches set paused_until = null where account_id = ${poor.id}`;
    return status === "completed";
  });
  expect(batch).toMatchObject({ request_counts: { total: 2, completed: 2, failed: 0 } });
  expect(await readCharges(server, poor)).toHaveLength(2);
});

test("while a batch is paused, its tries add nothing to Logs", async () => {
  const poor = await openAccount(server, { usd: "0" });
  const { id } = await create(poor.key, chatLine("a"));
  const { sql } = server.owner;
  const awaitPause = () =>
    awaitRows(
      () => sql`select from batches where account_id = ${poor.id} and paused_until > now()`,
    );
  await awaitPause();
  for (let tries = 0; tries < 3; tries += 1) {
    await sql`update batches set paused_until = null where account_id = ${poor.id}`;
    await awaitPause();
  }
  await topUp(server, poor.id, "1");
  await makeDue(poor.id);
  expect(await awaitOver(poor.key, id)).toMatchObject({ status: "completed" });
  const outcomes = await awaitRows(
    () => sql<{ outcome: string; calls: number }[]>`
      select outcome, count(*)::int as calls from requests where account_id = ${poor.id}
       group by outcome order by outcome`,
  );
  expect([...outcomes]).toEqual([
    { outcome: "completed", calls: 1 },
    { outcome: "refused", calls: 1 },
  ]);
});

test("a refusal that was not recorded before its process was killed does not make the line free", async () => {
  const poor = await openAccount(server, { usd: "0" });
  const { id } = await create(poor.key, chatLine("a"));
  const { sql } = server.owner;
  const [refused] = await awaitRows(
    () => sql<{ id: string }[]>`
    select r.id from requests r join batch_lines l on l.account_id = r.account_id
     where r.account_id = ${poor.id} and r.outcome = 'refused' and l.attempts > 0 and l.claimed_until is null`,
  );
  // It is paused, so nobody has the line.
  await sql`update batch_lines set generation_id = ${refused?.id ?? null}
    where account_id = ${poor.id} and claimed_until is null`;
  await topUp(server, poor.id, "1");
  await makeDue(poor.id);
  expect(await awaitOver(poor.key, id)).toMatchObject({ status: "completed" });
  expect(await readCharges(server, poor)).toHaveLength(1);
});

function awaitRows<Row>(query: () => PromiseLike<readonly Row[]>): Promise<readonly Row[]> {
  return eventually("rows", async () => {
    const rows = await query();
    return rows.length > 0 && rows;
  });
}

test("lines that could not run within their window expire, and cost nothing", async () => {
  const poor = await openAccount(server, { usd: "0" });
  const { id } = await create(poor.key, [chatLine("a"), chatLine("b")].join("\n"));
  await awaitBatch(poor.key, id, ({ status }) => status === "in_progress");
  await server.owner.sql`update batches set expires_at = now() where account_id = ${poor.id}`;
  await makeDue(poor.id);
  const batch = await awaitOver(poor.key, id);
  expect(batch).toMatchObject({
    status: "expired",
    expired_at: expect.any(Number),
    output_file_id: null,
    request_counts: { total: 2, completed: 0, failed: 2 },
  });
  const errors = await readResults(poor.key, batch.error_file_id);
  for (const line of errors.values()) {
    expect(line).toMatchObject({ response: null, error: { code: "batch_expired" } });
  }
  expect(errors.size).toBe(2);
  expect(await readCharges(server, poor)).toHaveLength(0);
});
