// Encrypted reasoning of another organization, which reaches a provider by a failover: it refuses the
// request, which is repeated without that reasoning. The caller pays only for the answer.
import { expect, test } from "bun:test";
import {
  asObject,
  at,
  expectCleanBooks,
  type JsonObject,
  readJson,
  startTestServer,
  testCatalog,
  useServer,
} from "../harness/index.ts";
import { parseNamedEvents, postResponse } from "./post-responses.ts";

const model = "test/two-organizations";

const { server, account } = await useServer(
  startTestServer({
    catalog: (baseUrl) =>
      `${testCatalog(baseUrl).replace(
        "models:",
        `  - { id: first, baseUrl: "${baseUrl}", apiKey: k, quirks: { responses: native } }
  - { id: second, baseUrl: "${baseUrl}", apiKey: k, quirks: { responses: native } }
models:`,
      )}
  - id: ${model}
    contextTokens: 128000
    maxOutputTokens: 16384
    capabilities: [tools, reasoning]
    routes: [{ provider: first, model: of-first }, { provider: second, model: of-second }]
    prices: { input: "0.10", cachedInput: "0.025", output: "0.40" }`,
  }),
);

const isSealed = (item: unknown) => at(item, "encrypted_content") !== undefined;
const itemsOf = (body: unknown) => {
  const { input } = asObject(body);
  return Array.isArray(input) ? input : [];
};
const cannotDecrypt = {
  message: "The encrypted content gAAA...sealed could not be verified.",
  type: "invalid_request_error",
  param: null,
  code: "invalid_encrypted_content",
};
/** The first provider is down; the second decrypts nothing. */
const script = () => {
  const asked: { readonly model: string; readonly input: readonly unknown[] }[] = [];
  server.upstream.script(({ parsed, chat }) => {
    asked.push({ model: chat.model, input: itemsOf(parsed) });
    if (chat.model === "of-first") return { status: 503, error: "Overloaded." };
    const refuses = itemsOf(parsed).some(isSealed);
    return refuses ? { status: 400, error: cannotDecrypt } : { deltas: 2 };
  });
  return asked;
};

const call = {
  type: "function_call",
  call_id: "c",
  name: "f",
  arguments: '{"n":12345678901234567890}',
};
const result = { type: "function_call_output", call_id: "c", output: "ok" };
const sealed = (text: string) => ({
  type: "reasoning",
  id: "rs_1",
  summary: [],
  encrypted_content: text,
});
const inputWith = (text: string): readonly JsonObject[] => [
  { role: "user", content: "Hi" },
  sealed(text),
  { ...call, id: "fc_1" },
  result,
];

test.each([false, true])("the call is answered without it (stream: %p)", async (stream) => {
  const asked = script();
  const input = inputWith(`sealed ${stream}`);
  const answer = await postResponse(server, account.key, { body: { model, input, stream } });
  expect(answer.status).toBe(200);
  const body = stream
    ? asObject(parseNamedEvents(await answer.text()).at(-1)?.response)
    : await readJson(answer);
  expect([body.status, at(body, "usage.output_tokens")]).toEqual(["completed", 2]);
  expect(asked.map(({ model: named }) => named)).toEqual(["of-first", "of-second", "of-second"]);
  expect(asked[1]?.input).toEqual([...input]);
  // Because of their ids OpenAI would miss the reasoning that preceded them.
  expect(asked[2]?.input).toEqual([input[0], call, result]);
  await expectCleanBooks(server);
});

test("what a provider has refused is not sent to it again, and its own reasoning is", async () => {
  const asked = script();
  const [first, ...turn] = inputWith("sealed by the first");
  const send = async (input: readonly unknown[]) => {
    const answer = await postResponse(server, account.key, { body: { model, input } });
    expect(answer.status).toBe(200);
    await answer.text();
  };
  await send([first, ...turn]);
  asked.length = 0;
  await send([first, ...turn, { role: "user", content: "And now?", id: "msg_1" }]);
  expect(asked.map(({ model: named }) => named)).toEqual(["of-first", "of-second"]);
  // It is the other provider that refused it.
  expect(asked[0]?.input.some(isSealed)).toBe(true);
  expect(asked[1]?.input).toEqual([first, call, result, { role: "user", content: "And now?" }]);
  server.upstream.script(({ parsed, chat }) => {
    asked.push({ model: chat.model, input: itemsOf(parsed) });
    return chat.model === "of-first" ? { status: 503, error: "Overloaded." } : { deltas: 1 };
  });
  const own = { ...sealed("sealed by the second"), id: "rs_2" };
  await send([first, ...turn, own, { role: "assistant", content: "Ok", id: "msg_2" }]);
  const said = { role: "assistant", content: "Ok" };
  expect(asked.at(-1)?.input).toEqual([first, call, result, own, said]);
});

test("another refusal, and a second one, reach the caller", async () => {
  const refusals = ["invalid_value", "invalid_encrypted_content"].map((code) => async () => {
    let count = 0;
    server.upstream.script(() => {
      count += 1;
      return { status: 400, error: { ...cannotDecrypt, code } };
    });
    const input = inputWith(`sealed for ${code}`);
    const refused = await postResponse(server, account.key, { body: { model, input } });
    return { status: refused.status, error: at(await readJson(refused), "error.message"), count };
  });
  const { message } = cannotDecrypt;
  expect(await refusals[0]?.()).toEqual({ status: 400, error: message, count: 1 });
  expect(await refusals[1]?.()).toEqual({ status: 400, error: message, count: 2 });
});
