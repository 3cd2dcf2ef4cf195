// While no project stores prompts, nothing of a prompt or an answer is in any table, any log line, any metric or any mail,
// however a call ends. What callers ask to be kept is sealed with their own key and is not there in clear either.
import { afterAll, expect, test } from "bun:test";
import { type SpawnedServer, spawnServer, startMailCatcher } from "@turnpike/testing";
import {
  type JsonObject,
  openAccount,
  openTestSite,
  scripted,
  scriptText,
  type TestAccount,
  testModels,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";
import { findText } from "./find-text.ts";

const asked = "canaryaskedcanary";
const answered = "canaryansweredcanary";
const metricsToken = "the-token-of-the-tests-of-prompts";

const mails = await startMailCatcher();
const site = await openTestSite({
  environment: {
    LOG_LEVEL: "trace",
    SEALING_KEY: "the-sealing-key-of-the-tests-of-prompts",
    METRICS_TOKEN: metricsToken,
    SMTP_URL: mails.url,
    MAIL_FROM: "gateway@example.com",
  },
});
const running: SpawnedServer[] = [];
afterAll(async () => {
  await Promise.all(running.map((server) => server.kill()));
  await site.close();
  await mails.close();
});

const { cheap, anthropic, embeddings } = testModels;
const script = { text: answered, reasoning: 1 };
const ways = [
  { name: "answered", script: { text: answered } },
  { name: "with reasoning", script },
  { name: "failed", script: { status: 500, error: "no" } },
  { name: "refused by the provider", script: { status: 400, error: "no" } },
  { name: "broken off", script: { text: `${answered} `.repeat(9), cutAfterDeltas: 3 } },
] as const;

type Sent = { readonly path: string; readonly body: JsonObject; readonly headers?: JsonObject };

/** Every way a call can go, through every protocol. */
function callsOf(): Sent[] {
  return ways.flatMap(({ script: told }) =>
    [false, true].flatMap((stream) =>
      [cheap, anthropic].flatMap((model): Sent[] => {
        const messages = [scripted(told, asked)];
        const text = scriptText(told, asked);
        return [
          { path: "/chat/completions", body: { model, messages, stream } },
          { path: "/messages", body: { model, messages, stream, max_tokens: 90 } },
          { path: "/completions", body: { model, prompt: text, stream, max_tokens: 90 } },
          { path: "/responses", body: { model, input: text, stream } },
        ];
      }),
    ),
  );
}

async function send(server: SpawnedServer, key: string, { path, body, headers }: Sent) {
  const answer = await fetch(`${server.baseUrl}${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      ...(headers as Record<string, string>),
    },
    body: JSON.stringify(body),
  });
  // A broken stream ends with its connection.
  const text = await answer.text().catch(() => "");
  return { status: answer.status, text };
}

async function leave(server: SpawnedServer, { key }: TestAccount): Promise<void> {
  const leaving = new AbortController();
  const told = { text: `${answered} `.repeat(500), paceMs: 5 };
  const answer = await fetch(`${server.baseUrl}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: cheap, messages: [scripted(told, asked)], stream: true }),
    signal: leaving.signal,
  });
  await answer.body?.getReader().read();
  leaving.abort();
}

test("a prompt and its answer are nowhere: no table, no log line, no metric, no mail", async () => {
  const server = await spawnServer(site.environment, { times: { sendMailEveryMs: 50 } });
  running.push(server);
  const account = await openAccount(site);
  const poor = await openAccount(site, { usd: "0" });
  const results = [];
  for (const call of callsOf()) results.push(await send(server, account.key, call));
  const embedded = { path: "/embeddings", body: { model: embeddings, input: asked } };
  results.push(await send(server, account.key, embedded));
  // Refused here: without money, with a field of the wrong type, and as broken JSON.
  const [call] = callsOf();
  if (call === undefined) throw new Error("there are calls");
  results.push(await send(server, poor.key, call));
  for (const body of [
    { ...call.body, messages: asked },
    { ...call.body, temperature: asked },
    { ...call.body, [asked]: asked },
    { ...call.body, messages: [{ role: asked, content: asked }] },
    { ...call.body, tool_choice: asked },
  ]) {
    results.push(await send(server, account.key, { ...call, body }));
  }
  // Kept because the caller asks for it: sealed with the caller's key.
  for (const headers of [{ "idempotency-key": "one" }, { "x-openrouter-cache": "true" }]) {
    for (let time = 0; time < 2; time += 1) {
      results.push(await send(server, account.key, { ...call, headers }));
    }
  }
  await leave(server, account);
  const statuses = new Set(results.map(({ status }) => status));
  for (const status of [200, 400, 402, 502]) expect(statuses).toContain(status);
  expect(results.filter(({ text }) => text.includes(answered)).length).toBeGreaterThan(10);
  await eventually("the end of every call", async () => {
    const [row] = await site.owner.sql<{ rows: number }[]>`
      select count(*)::int as rows from requests where account_id = ${account.id}
         and outcome = 'client_closed'`;
    return (row?.rows ?? 0) >= 1;
  });
  const stored = await site.owner.sql`select 1 from stored_answers where sealed is not null`;
  expect(stored.length).toBeGreaterThan(0);
  // A mail about these calls: the key is seen in a prompt, and its owner is warned.
  const warned = await openAccount(site);
  const withKey = {
    ...call,
    body: { ...call.body, messages: [scripted({}, `${asked} ${warned.key}`)] },
  };
  await send(server, account.key, withKey);
  const mail = await mails.waitFor(warned.email);
  const metrics = await fetch(`${server.url}/metrics`, {
    headers: { authorization: `Bearer ${metricsToken}` },
  });
  expect(metrics.status).toBe(200);
  const exposed = await metrics.text();
  expect(exposed).toContain("turnpike_prompts_stored_total 0");
  await server.kill("SIGTERM");
  const output = server.output();
  expect(output).toContain('"level":"trace"');

  for (const text of [asked, answered]) {
    expect(await findText(site.owner.sql, text)).toEqual([]);
    expect(output).not.toContain(text);
    expect(exposed).not.toContain(text);
    expect(JSON.stringify(mail)).not.toContain(text);
    expect(JSON.stringify(mails.mails)).not.toContain(text);
  }
  expect(await site.owner.sql`select 1 from stored_prompts`).toHaveLength(0);
});

test("the search finds what is there, as text, JSON and bytes", async () => {
  const { sql } = site.owner;
  const { id } = await openAccount(site);
  await sql`update accounts set name = ${"name seekthis end"} where id = ${id}`;
  await sql`insert into outbox (id, recipient, message)
            values (gen_random_uuid(), 'a@example.com', '{"kind": "seekthis"}')`;
  await sql`insert into stored_answers (id, account_id, request_hash, generation_id, instance_id, expires_at)
            values (${Buffer.from("an id seekthis")}, ${id}, '', ${id}, ${id}, now())`;
  expect([...(await findText(sql, "seekthis"))].toSorted()).toEqual([
    "accounts.name",
    "outbox.message",
    "stored_answers.id",
  ]);
});
