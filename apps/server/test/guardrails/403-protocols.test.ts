// Guardrails hold for every protocol, whole and streamed, for answers from the response cache, in the playground, and
// on every instance as soon as they change.
import { afterAll, afterEach, expect, test } from "bun:test";
import { type AccountId, defaultProjectOf } from "@turnpike/base";
import { setGuardrail } from "@turnpike/keys";
import { openBrowser, signUp } from "../console/browser.fixture.ts";
import {
  at,
  chatBody,
  expectCleanBooks,
  type JsonObject,
  openTestSite,
  postChat,
  readJson,
  startTestServer,
  type TestServer,
  topUp,
} from "../harness/index.ts";
import { ask, openManaged } from "../management/open-management.fixture.ts";
import { eventually } from "../money/read-requests.ts";
import { askGuarded, editorOf, guarded, guardedCatalog, openGuarded } from "./guarded.fixture.ts";

const site = await openTestSite({
  catalog: guardedCatalog,
  environment: { PUBLIC_URL: "http://console.test" },
});
const first = await startTestServer({ site });
const second = await startTestServer({ site });
afterEach(() => expectCleanBooks(site));
afterAll(async () => {
  await first.close();
  await second.close();
  await site.close();
});

const { many, one, other, embeddings } = guarded;
const messages = [{ role: "user", content: "hello" }];
const bodies: Readonly<Record<string, (model: string) => JsonObject>> = {
  "/chat/completions": (model) => ({ model, messages, max_tokens: 50 }),
  "/responses": (model) => ({ model, input: "hello", max_output_tokens: 50 }),
  "/messages": (model) => ({ model, messages, max_tokens: 50 }),
  "/completions": (model) => ({ model, prompt: "hello", max_tokens: 50 }),
};
const calls = Object.keys(bodies).flatMap((path) =>
  [false, true].map((stream) => ({ path, stream })),
);

function post(path: string, key: string, body: JsonObject): Promise<Response> {
  return fetch(`${first.baseUrl}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

test.each(calls)(
  "$path with stream $stream is refused in its own shape, or answered",
  async ({ path, stream }) => {
    const account = await openGuarded(first, { project: { denyTraining: true } });
    const bodyOf = bodies[path];
    const served = await post(path, account.key, { ...bodyOf?.(many), stream });
    expect([served.status, (await served.text()).length > 0]).toEqual([200, true]);
    const refused = await post(path, account.key, { ...bodyOf?.(one), stream });
    expect(refused.status).toBe(403);
    expect(refused.headers.get("content-type")).toBe("application/json");
    expect(at(await readJson(refused), "error")).toMatchObject({
      type: "permission_error",
      message: expect.stringMatching(
        /the project Search .* \(deny_training\) can be changed by an owner/,
      ),
    });
  },
);

test("embeddings, estimates and counted prompts are refused like calls", async () => {
  const account = await openGuarded(first, { key: { allowedProviders: ["deletes"] } });
  const input = { model: embeddings, input: "hello" };
  expect((await post("/embeddings", account.key, input)).status).toBe(403);
  const chat = { model: one, messages, max_tokens: 50 };
  expect((await post("/estimate", account.key, chat)).status).toBe(403);
  expect((await post("/messages/count_tokens", account.key, chat)).status).toBe(403);
  const estimate = await readJson(await post("/estimate", account.key, { ...chat, model: many }));
  expect(JSON.stringify(estimate)).toContain("deletes");
  expect(JSON.stringify(estimate)).not.toContain("keeps");
});

test("an answer of the response cache is refused once its model is", async () => {
  const account = await openGuarded(first, {});
  const headers = { "x-openrouter-cache": "true" };
  const askCached = () =>
    postChat(first, account.key, chatBody({ deltas: 1 }, { model: one }), { headers });
  expect((await askCached()).status).toBe(200);
  const rules = { allowedModels: [many] };
  await setGuardrail(site.owner.db, editorOf(account.id), {
    kind: "account",
    subjectId: account.id,
    rules,
  });
  await eventually("the refusal", async () => (await askCached()).status === 403);
});

test("a change over the management API takes effect on both instances, and is refused to nobody else", async () => {
  const account = await openManaged(first);
  const neighbor = await openGuarded(first, {});
  const statusOf = async (server: TestServer, by: { key: string }) =>
    (await askGuarded(server, by, { model: other })).status;
  for (const server of [first, second]) expect(await statusOf(server, account)).toBe(200);
  for (const [kind, subject_id] of [
    ["account", account.id],
    ["project", defaultProjectOf(account.id)],
    ["key", account.keyId],
  ] as const) {
    const rules = { allowed_models: ["vendor/*"] };
    const set = { kind, subject_id, rules };
    const { body } = await ask(first, account.managementKey, "POST /management/guardrails", set);
    for (const server of [first, second]) {
      await eventually(`403 by the ${kind}`, async () => (await statusOf(server, account)) === 403);
      expect(await statusOf(server, neighbor)).toBe(200);
    }
    const listed = await ask(second, account.managementKey, "GET /management/guardrails");
    expect(at(listed.body, "data")).toMatchObject([{ id: body.id, kind, subject_id, rules }]);
    const path = `DELETE /management/guardrails/${body.id}`;
    expect((await ask(first, account.managementKey, path)).status).toBe(200);
    for (const server of [first, second]) {
      await eventually("200 again", async () => (await statusOf(server, account)) === 200);
    }
  }
});

test("the models and addresses of a key are rules of its guardrail, whichever of the two is changed", async () => {
  const account = await openManaged(first);
  const call = (text: string, body?: unknown) => ask(first, account.managementKey, text, body);
  const keyPath = `/management/keys/${account.keyId}`;
  const limits = { allowed_models: [many], allowed_addresses: ["127.0.0.1"] };
  expect((await call(`PATCH ${keyPath}`, { limits })).status).toBe(200);
  const subject = { kind: "key", subject_id: account.keyId };
  const listed = await call("GET /management/guardrails");
  expect(at(listed.body, "data")).toMatchObject([{ ...subject, rules: limits }]);
  const rules = { allowed_models: [one], deny_training: true };
  expect((await call("POST /management/guardrails", { ...subject, rules })).status).toBe(200);
  const key = (await call(`GET ${keyPath}`)).body;
  expect(key.limits).toMatchObject({ allowed_models: [one], allowed_addresses: null });
  expect((await call(`PATCH ${keyPath}`, { limits: {} })).status).toBe(200);
  const left = await call("GET /management/guardrails");
  const withoutModels = { allowed_models: null, deny_training: true };
  expect(at(left.body, "data")).toMatchObject([{ ...subject, rules: withoutModels }]);
});

test("the playground obeys the guardrails of the account and of its default project", async () => {
  const browser = openBrowser(first.url);
  const email = "ada@example.com";
  await signUp(browser, first.url, email);
  const [owned] = await site.owner.sql<{ id: AccountId }[]>`
    select account_id as id from memberships
      join persons on persons.id = memberships.person_id where email = ${email}`;
  if (owned === undefined) throw new Error("a person who signs up has an account");
  const { id } = owned;
  await topUp(site, id, "10");
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const play = (model: string) =>
    fetch(`${first.url}/console/playground`, {
      method: "POST",
      headers: { cookie, "content-type": "application/json", "sec-fetch-site": "same-origin" },
      body: JSON.stringify(chatBody({ deltas: 1 }, { model })),
    });
  expect((await play(one)).status).toBe(200);
  const editor = editorOf(id);
  const subjectId = id;
  const models = { allowedModels: ["vendor/*"] };
  await setGuardrail(site.owner.db, editor, { kind: "account", subjectId, rules: models });
  const providers = { allowedProviders: ["deletes"] };
  await setGuardrail(site.owner.db, editor, { kind: "project", subjectId, rules: providers });
  expect((await play(many)).status).toBe(200);
  for (const [model, rule, owner] of [
    [other, "allowed_models", "account"],
    [one, "allowed_providers", "project"],
  ] as const) {
    const refused = await play(model);
    expect(refused.status).toBe(403);
    expect(at(await readJson(refused), "error.metadata")).toMatchObject({ rule, rule_of: owner });
  }
  const addresses = { allowedAddresses: ["203.0.113.7"] };
  await setGuardrail(site.owner.db, editor, { kind: "account", subjectId, rules: addresses });
  const away = await readJson(await play(many));
  expect(at(away, "error.metadata.rule")).toBe("allowed_addresses");
});
