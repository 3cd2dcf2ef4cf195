// What an operator sees in `/metrics` of providers, models, money, jobs, queues and connections; a failed job or
// reload shows there.
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { newId } from "@turnpike/base";
import { measureQueues } from "../../src/jobs/queue-job.ts";
import { startJob } from "../../src/jobs/start-job.ts";
import {
  at,
  billCheap,
  chatBody,
  postChat,
  readEvents,
  readJson,
  startTestServer,
  testModels,
  useServer,
  waitForSettled,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";

const { server, account } = await useServer(startTestServer());

/** The sum of all series of a metric that have these labels. */
async function sumOf(name: string, labels: Readonly<Record<string, string>>): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const lines = text.split("\n").filter((line) => line.startsWith(`${name}{`));
  return lines
    .filter((line) => wanted.every((label) => line.includes(label)))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);
}

test("calls are counted by provider and model: first token, duration, failures, tokens, money", async () => {
  const model = testModels.cheap;
  const [provider, route] = ["scripted", "upstream-cheap"];
  const whole = await readJson(await postChat(server, account.key, chatBody({ deltas: 3 })));
  const fields = { stream: true, stream_options: { include_usage: true } };
  const stream = await readEvents(
    await postChat(server, account.key, chatBody({ deltas: 2 }, fields)),
  );
  await (await postChat(server, account.key, chatBody({ status: 500 }))).text();
  expect(await waitForSettled(server)).toBe(0);

  const usages = [whole.usage, stream.events.at(-1)?.usage];
  const sum = (field: string) => Number(at(usages[0], field)) + Number(at(usages[1], field));
  const costNanos = billCheap(usages[0]) + billCheap(usages[1]);
  const tokens = (kind: string) => sumOf("turnpike_tokens_total", { provider, model, kind });
  expect(await tokens("prompt")).toBe(sum("prompt_tokens"));
  expect(await tokens("completion")).toBe(sum("completion_tokens"));
  expect(await sumOf("turnpike_revenue_nanos_total", { provider, model })).toBe(Number(costNanos));
  expect(await sumOf("turnpike_request_duration_seconds_count", { model })).toBe(2);
  const upstream = { provider, route };
  expect(await sumOf("turnpike_upstream_first_token_seconds_count", upstream)).toBe(1);
  const attempts = (outcome: string) =>
    sumOf("turnpike_upstream_attempts_total", { ...upstream, outcome });
  expect(await attempts("ok")).toBe(2);
  expect(await attempts("bad_gateway")).toBe(1);
});

test("failed runs of a job are counted, and so are those that succeed", async () => {
  const runs = (result: string) => sumOf("turnpike_job_runs_total", { task: "test", result });
  let works = false;
  const stop = startJob(server.services, "test", 10, async () => {
    if (!works) throw new Error("the job fails");
  });
  await eventually("two failures", async () => (await runs("failed")) >= 2);
  expect(await runs("ok")).toBe(0);
  works = true;
  await eventually("a success", async () => (await runs("ok")) >= 1);
  await stop();
  const at = await sumOf("turnpike_job_last_success_timestamp_seconds", { task: "test" });
  expect(Math.abs(Date.now() / 1000 - at)).toBeLessThan(600);
});

test("a reload of the catalog that fails is counted", async () => {
  const reloads = (result: string) => sumOf("turnpike_catalog_reloads_total", { result });
  const file = server.environment.CATALOG_FILE ?? "";
  const works = readFileSync(file, "utf8");
  const before = [await reloads("ok"), await reloads("failed")];
  writeFileSync(file, "models: 7");
  await server.services.catalog.reload();
  writeFileSync(file, works);
  await server.services.catalog.reload();
  expect(await reloads("failed")).toBe((before[1] ?? 0) + 1);
  expect(await reloads("ok")).toBeGreaterThan(before[0] ?? 0);
});

test("queues show how many items wait, and for how long the oldest has been due", async () => {
  const { sql } = server.owner;
  const due = "now() - interval '1 hour'";
  await sql.unsafe(`insert into outbox (id, recipient, message, send_after, sent_at) values
    ('${newId()}', 'a@turnpike.example', '{"kind":"test"}', ${due}, null),
    ('${newId()}', 'b@turnpike.example', '{"kind":"test"}', now() + interval '1 hour', null),
    ('${newId()}', 'c@turnpike.example', '{"kind":"test"}', now() - interval '1 day', now())`);
  await sql.unsafe(`insert into stripe_inbox (event_id, type, created, payload, next_attempt_at)
    values ('evt_test', 'test', now(), '{}', now() + interval '1 hour')`);
  const measured = await measureQueues(server.services.jobsDatabase.db);
  const byQueue = new Map(measured.map(({ queue, ...figures }) => [queue, figures]));
  const mail = byQueue.get("mail");
  expect(mail?.waiting).toBe(2);
  expect(mail?.overdueMs).toBeGreaterThanOrEqual(3_600_000);
  expect(byQueue.get("stripe")).toEqual({ waiting: 1, overdueMs: 0 });
  expect(byQueue.get("webhooks")).toEqual({ waiting: 0, overdueMs: 0 });
  await eventually("the job to have measured", async () => {
    const text = await (await fetch(`${server.url}/metrics`)).text();
    return text.includes('turnpike_queue_waiting{queue="webhooks"} 0');
  });
});

test("pools show their connections and the statements that wait for one", async () => {
  const pool = { pool: "turnpike billing" };
  const { sql } = server.services.billingDatabase;
  const max = await sumOf("turnpike_database_connections_max", pool);
  expect(max).toBe(sql.options.max);
  const released = Promise.withResolvers<void>();
  const began = Array.from({ length: max }, () => Promise.withResolvers<void>());
  const taken = began.map((begun) =>
    sql.begin(async (transaction) => {
      await transaction`select 1`;
      begun.resolve();
      await released.promise;
    }),
  );
  try {
    await Promise.all(began.map(({ promise }) => promise));
    const waiting = sql`select 1`.execute();
    expect(await sumOf("turnpike_database_connections", { ...pool, state: "busy" })).toBe(max);
    expect(await sumOf("turnpike_database_statements_waiting", pool)).toBe(1);
    released.resolve();
    await waiting;
  } finally {
    released.resolve();
    await Promise.all(taken);
  }
  expect(await sumOf("turnpike_database_connections", { ...pool, state: "busy" })).toBe(0);
  expect(await sumOf("turnpike_database_statements_waiting", pool)).toBe(0);
});
