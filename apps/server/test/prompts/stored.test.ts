// Prompts and answers of a project that stores them: sealed, redacted, shown to those who may see them, gone in time, and
// never a reason for a call to wait or to fail.
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import type { AccountId } from "@turnpike/base";
import {
  answerWith,
  at,
  chatBody,
  expectCleanBooks,
  postChat,
  startTestServer,
  testModels,
} from "../harness/index.ts";
import { ask } from "../management/open-management.fixture.ts";
import { eventually } from "../money/read-requests.ts";
import { useStoring } from "./use-storing.fixture.ts";

const environment = { SEALING_KEY: "the-sealing-key-of-the-tests-of-prompts" };
const server = await startTestServer({ environment });
const twin = await startTestServer({ site: server, environment });
afterEach(() => expectCleanBooks(server));
afterAll(async () => {
  await twin.close();
  await server.close();
});

const { sql } = server.owner;
const { openStoring, setPrompts, settle, lastOf, post } = useStoring([server, twin]);

const rowsOf = (id: AccountId) => sql<{ generation_id: string; sealed: Uint8Array }[]>`
  select generation_id, sealed from stored_prompts where account_id = ${id} order by created_at`;

test("a prompt and its answer are stored sealed, and shown as they were sent", async () => {
  const account = await openStoring();
  answerWith(server, { text: "the answer is blue" });
  const body = { model: testModels.cheap, messages: [{ role: "user", content: "what color?" }] };
  expect((await postChat(server, account.key, body)).status).toBe(200);
  const stored = await lastOf(account);
  expect(at(stored, "request")).toEqual(body);
  expect(at(stored, "answer.choices.0.message.content")).toContain("the answer is blue");
  expect(at(stored, "truncated")).toEqual({ request: false, answer: false });
  expect(at(stored, "redactions")).toEqual({});
  const [row] = await rowsOf(account.id);
  const atRest = Buffer.from(row?.sealed ?? []).toString("latin1");
  expect(atRest.length).toBeGreaterThan(100);
  for (const text of ["color", "blue", "messages"]) expect(atRest).not.toContain(text);
});

const secrets = {
  // In two parts, so that no file has what looks like a key.
  key: `sk-tp-${"abcdefghij0123456789".repeat(3).slice(0, 49)}`,
  mail: "ada.lovelace@example.org",
  card: "4111 1111 1111 1111",
  address: "203.0.113.77",
  phone: "+43 660 1234567",
};

test("secrets and addresses are replaced before they are stored, also across the pieces of a stream", async () => {
  const account = await openStoring();
  const said = Object.values(secrets).join(" and ");
  answerWith(server, { text: `so ${said} end` });
  const body = chatBody({}, { messages: [{ role: "user", content: said }], stream: true });
  const answer = await postChat(server, account.key, body);
  expect(await answer.text()).toContain("lovelace");
  const stored = await lastOf(account);
  const text = JSON.stringify(stored);
  for (const secret of Object.values(secrets)) expect(text).not.toContain(secret);
  expect(at(stored, "request.messages.0.content")).toBe(
    "[redacted secret] and [redacted email] and [redacted card] and [redacted ip] and [redacted phone]",
  );
  expect(at(stored, "answer.choices.0.message.content")).toContain("[redacted email]");
  expect(at(stored, "redactions")).toEqual({ secret: 2, email: 2, card: 2, ip: 2, phone: 2 });
});

test("a project may store what was said as it was said", async () => {
  const account = await openStoring({ days: 1, redacts: false });
  const messages = [{ role: "user", content: secrets.mail }];
  await (await postChat(server, account.key, chatBody({}, { messages }))).text();
  const stored = await lastOf(account);
  expect(at(stored, "request.messages.0.content")).toBe(secrets.mail);
  expect(at(stored, "redactions")).toBeNull();
});

const { cheap: model } = testModels;
const user = [{ role: "user", content: "say it" }];

describe.each([
  ["whole", false],
  ["streamed", true],
])("%s", (_, stream) => {
  test.each([
    ["/chat/completions", { model, messages: user, stream }, "choices.0.message.content"],
    ["/completions", { model, prompt: "say it", max_tokens: 50, stream }, "choices.0.text"],
    ["/messages", { model, messages: user, max_tokens: 50, stream }, "content.0.text"],
    ["/responses", { model, input: "say it", stream }, "output.0.content.0.text"],
  ])("%s is stored with its answer", async (path, body, place) => {
    const account = await openStoring();
    answerWith(server, { text: "here it is" });
    const answer = await post(account, path, body);
    expect(answer.status).toBe(200);
    await answer.text();
    const stored = await lastOf(account);
    expect(at(stored, "request")).toEqual(body);
    expect(at(stored, `answer.${place}`)).toContain("here it is");
  });
});

test("embeddings are stored without their vectors, images and files without their data", async () => {
  const account = await openStoring();
  await (
    await post(account, "/embeddings", { model: testModels.embeddings, input: "a text" })
  ).text();
  const embedded = await lastOf(account);
  expect(at(embedded, "request.input")).toBe("a text");
  expect(at(embedded, "answer.data.0.embedding")).toBe("[256 numbers, not stored]");

  const data = Buffer.alloc(60_000, "canary").toString("base64");
  const content = [
    { type: "text", text: "what is this?" },
    { type: "image_url", image_url: { url: `data:image/png;base64,${data}` } },
  ];
  const body = { model: testModels.vision, messages: [{ role: "user", content }] };
  await (await postChat(server, account.key, body)).text();
  const seen = await lastOf(account);
  expect(at(seen, "request.messages.0.content.0.text")).toBe("what is this?");
  const note = String(at(seen, "request.messages.0.content.1.image_url.url"));
  expect(note).toMatch(/^\[(?:image\/png|data), about 6\d{4} bytes, not stored\]$/);
});

test("a stream that is longer than what is kept is stored as far as that, which is said", async () => {
  const account = await openStoring();
  answerWith(server, { text: "word ".repeat(1_500), padBytes: 4_000 });
  await (await postChat(server, account.key, { model, messages: user, stream: true })).text();
  const stored = await lastOf(account);
  expect(at(stored, "truncated")).toEqual({ request: false, answer: true });
  expect(String(at(stored, "answer.choices.0.message.content"))).toContain("word word");
});

test.each([
  ["/responses", { model, input: "say it", store: false }],
  ["/chat/completions", { model, messages: user, store: false }],
  ["/chat/completions", { model, messages: user, provider: { data_collection: "deny" } }],
  ["/chat/completions", { model, messages: user, provider: { zdr: true } }],
])("a call of %s that asks not to be kept is not stored: %j", async (path, body) => {
  const account = await openStoring();
  await (await post(account, path, body)).text();
  await (await post(account, path, { ...body, store: true, provider: {} })).text();
  await lastOf(account);
  expect(await rowsOf(account.id)).toHaveLength(1);
});

test("a failed and an abandoned call are stored as far as they came, a refused one is not", async () => {
  const account = await openStoring();
  const failing = chatBody({ status: 500, error: "no" });
  expect((await postChat(server, account.key, failing)).status).toBeGreaterThanOrEqual(500);
  expect(at(await lastOf(account), "answer.error.code")).toBeString();

  const leaving = new AbortController();
  const endless = chatBody({ tag: "left", endless: true, paceMs: 5 }, { stream: true });
  const stream = await postChat(server, account.key, endless, { signal: leaving.signal });
  await stream.body?.getReader().read();
  leaving.abort();
  await eventually("both to be stored", async () => (await rowsOf(account.id)).length === 2);
  const left = await lastOf(account);
  expect(at(left, "request.stream")).toBe(true);

  const refused = await postChat(server, account.key, { model: "no/such", messages: user });
  expect(refused.status).toBe(404);
  await settle();
  expect(await rowsOf(account.id)).toHaveLength(2);
});

test("a call never fails or waits because the database does not store its prompt", async () => {
  const account = await openStoring();
  await sql.begin(async (tx) => {
    await tx`lock table stored_prompts in access exclusive mode`;
    for (let call = 0; call < 5; call += 1) {
      const answer = await postChat(server, account.key, { model, messages: user });
      expect(answer.status).toBe(200);
      await answer.text();
    }
  });
  await eventually("all to be stored", async () => (await rowsOf(account.id)).length === 5);
});

test("another instance stores nothing more once the switch is off, and begins when it is on", async () => {
  const account = await openStoring({ days: null });
  const call = async () => {
    await (await postChat(twin, account.key, { model, messages: user })).text();
    await settle();
  };
  await call();
  expect(await rowsOf(account.id)).toHaveLength(0);
  await setPrompts(account, { days: 7 });
  await eventually("the other instance to notice", async () => {
    await call();
    return (await rowsOf(account.id)).length > 0;
  });
  await setPrompts(account, { days: null });
  const before = await rowsOf(account.id);
  await call();
  expect(await rowsOf(account.id)).toHaveLength(before.length);
  // Off hides what is there, too.
  const { body } = await ask(server, account.managementKey, "GET /management/requests?limit=5");
  for (const id of [0, 1, 2, 3, 4].map((n) => at(body, `data.${n}.id`)).filter(Boolean)) {
    const hidden = await ask(
      server,
      account.managementKey,
      `GET /management/requests/${id}/prompt`,
    );
    expect(hidden.status).toBe(404);
  }
});

test("a repetition under an Idempotency-Key is not stored again", async () => {
  const account = await openStoring();
  const body = { model, messages: user };
  for (let time = 0; time < 2; time += 1) {
    await (await post(account, "/chat/completions", body, { "idempotency-key": "same" })).text();
  }
  await lastOf(account);
  expect(await rowsOf(account.id)).toHaveLength(1);
});
