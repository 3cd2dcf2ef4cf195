// What every call has, a call of Gemini's API has too: it is answered once per `Idempotency-Key`, is refused by guardrails in
// its own format, and is found in the lists of calls with its model.
import { expect, test } from "bun:test";
import { guard } from "../guardrails/guarded.fixture.ts";
import {
  at,
  countCalls,
  openAccount,
  readJson,
  startTestServer,
  testModels,
  useServer,
} from "../harness/index.ts";
import { asking, postGemini } from "./ask-gemini.fixture.ts";

const { server, account } = await useServer(startTestServer());
const post = postGemini(server, account);
const path = (model: string, method = "generateContent") => `/v1beta/models/${model}:${method}`;

test("a call under an Idempotency-Key is answered once, and its key is for its model and its method alone", async () => {
  const headers = { "x-goog-api-key": account.key, "idempotency-key": "once" };
  const body = asking({ deltas: 2 });
  const { calls } = await countCalls(server, account, async () => {
    const first = await readJson(await post(path(testModels.cheap), body, headers));
    const again = await post(path(testModels.cheap), body, headers);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await readJson(again)).toEqual(first);
  });
  expect(calls).toBe(1);
  for (const other of [path(testModels.plain), path(testModels.cheap, "streamGenerateContent")]) {
    const refused = await post(other, body, headers);
    expect([refused.status, at(await readJson(refused), "error.status")]).toEqual([409, "ABORTED"]);
  }
});

test("a call is found by its id, with its model and its tokens", async () => {
  const answer = await post(path(testModels.cheap), asking({ deltas: 3 }));
  const { responseId } = await readJson(answer);
  const found = await fetch(`${server.baseUrl}/generation?id=${responseId}`, {
    headers: { authorization: `Bearer ${account.key}` },
  });
  expect(at(await readJson(found), "data")).toMatchObject({
    model: testModels.cheap,
    tokens_completion: 3,
    streamed: false,
  });
});

test("a guardrail refuses a model in Google's format", async () => {
  const guarded = await openAccount(server);
  await guard(server, guarded, "account", { allowedProviders: ["claude"] });
  const ask = postGemini(server, guarded);
  expect((await ask(path(testModels.anthropic), asking({}))).status).toBe(200);
  const refused = await ask(path(testModels.cheap), asking({}));
  const { error } = await readJson(refused);
  expect([refused.status, at(error, "status")]).toEqual([403, "PERMISSION_DENIED"]);
});
