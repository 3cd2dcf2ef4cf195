// Preferences that the provider of a model has nothing like: the call is answered without them, and the answer names
// them by the caller's own names. What changes the answer is refused, and so are they if the caller wants it.
import { expect, test } from "bun:test";
import {
  answerWith,
  at,
  expectFault,
  findSchemaProblems,
  type JsonObject,
  openAccount,
  readCharges,
  readJson,
  scriptText,
  startTestServer,
  useServer,
} from "../harness/index.ts";

const { server, account } = await useServer(
  startTestServer({
    catalog: (baseUrl) => `
providers:
  - { id: claude, kind: anthropic, baseUrl: "${baseUrl}", apiKey: k, unknownFields: refused }
  - { id: gemini, kind: google, baseUrl: "${baseUrl}beta", apiKey: k }
  - id: openai-like
    baseUrl: "${baseUrl}"
    apiKey: k
    unknownFields: refused
    quirks: { controlFields: rejects, customTools: native }
  - id: relayed
    baseUrl: "${baseUrl}"
    apiKey: k
    unknownFields: refused
    quirks: { responses: native }
models:
${[
  ["claude", "claude"],
  ["gemini", "gemini"],
  ["openai", "openai-like"],
  ["responses", "relayed"],
]
  .map(([name, provider]) => modelOf(name, `[{ provider: ${provider}, model: up }]`))
  .join("")}
${modelOf("failing", "[{ provider: claude, model: up, tier: 1 }, { provider: gemini, model: up, tier: 2 }]")}
${modelOf("declared", "[{ provider: openai-like, model: up, parameters: [temperature] }]")}
`,
  }),
);

function modelOf(name: string | undefined, routes: string): string {
  return `
  - id: test/${name}
    contextTokens: 100000
    maxOutputTokens: 10000
    routes: ${routes}
    prices: { input: "1", output: "2" }
`;
}

const ask = (path: string, fields: JsonObject) =>
  fetch(`${server.baseUrl}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${account.key}` },
    body: JSON.stringify(fields),
  });

const said = scriptText({ deltas: 2 });
const messages = [{ role: "user", content: said }];
const sent = () => server.upstream.requests.at(-1)?.parsed;

async function ignoredBy(path: string, fields: JsonObject): Promise<string | null> {
  const answer = await ask(path, fields);
  const text = await answer.text();
  expect([answer.status, text]).toEqual([200, expect.any(String)]);
  return answer.headers.get("x-turnpike-ignored");
}

const unusual = { frequency_penalty: 0.5, min_p: 0.1 };

test.each([
  ["claude", { ...unusual, seed: 1, temperature: 0.5 }, "frequency_penalty, min_p, seed"],
  ["claude", { reasoning: { effort: "low" } }, "reasoning"],
  ["gemini", unusual, "min_p"],
  ["openai", { ...unusual, top_k: 5 }, "min_p, top_k"],
  [
    "openai",
    { reasoning_effort: "low", thinking: { type: "enabled" } },
    "reasoning_effort, thinking",
  ],
  ["declared", { temperature: 0.5, top_p: 0.5, ...unusual }, "top_p, frequency_penalty, min_p"],
  ["openai", { temperature: 0.5 }, null],
])("test/%s answers without %j and names %s, whole and streamed", async (name, fields, named) => {
  const body = { model: `test/${name}`, messages, ...fields };
  for (const stream of [false, true]) {
    expect(await ignoredBy("/chat/completions", { ...body, stream })).toBe(named);
    for (const lost of named?.split(", ") ?? []) expect(sent()).not.toHaveProperty(lost);
  }
});

test("callers of other APIs read their own names", async () => {
  const thinking = { type: "enabled", budget_tokens: 2_000 };
  const message = { max_tokens: 100, messages, thinking };
  const own = { model: "test/claude", ...message, min_p: 0.1 };
  expect(await ignoredBy("/messages", own)).toBe("thinking, min_p");
  expect(Object.keys(sent() ?? {})).toEqual(["model", "max_tokens", "messages"]);
  const metadata = { user_id: "u" };
  const translated = { model: "test/gemini", ...message, metadata };
  expect(await ignoredBy("/messages", translated)).toBe("metadata.user_id, thinking");
  const response = { input: said, reasoning: { effort: "low" }, ...unusual };
  expect(await ignoredBy("/responses", { model: "test/responses", ...response })).toBe(
    "reasoning, frequency_penalty, min_p",
  );
  expect(sent()).not.toHaveProperty("reasoning");
  expect(await ignoredBy("/responses", { model: "test/claude", ...response })).toBe(
    "frequency_penalty, min_p, reasoning.effort",
  );
  const text = { model: "test/claude", prompt: said, max_tokens: 50, seed: 3 };
  expect(await ignoredBy("/completions", text)).toBe("seed");
});

test("after a failover the names are those of the provider that answered", async () => {
  answerWith(server, { status: 500 }, { deltas: 1 });
  const plain = [{ role: "user", content: "hello" }];
  const fields = { model: "test/failing", messages: plain, ...unusual };
  expect(await ignoredBy("/chat/completions", fields)).toBe("min_p");
});

test("a cached and a repeated answer name them as well", async () => {
  const other = await openAccount(server);
  for (const header of ["x-openrouter-cache", "idempotency-key"]) {
    for (const _ of ["first", "again"]) {
      const answer = await fetch(`${server.baseUrl}/chat/completions`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          authorization: `Bearer ${other.key}`,
          [header]: "true",
        },
        body: JSON.stringify({ model: "test/claude", messages, ...unusual }),
      });
      await answer.text();
      expect(answer.headers.get("x-turnpike-ignored")).toBe("frequency_penalty, min_p");
    }
  }
  expect(await readCharges(server, other)).toHaveLength(2);
});

test("the record of the call names them", async () => {
  const answer = await ask("/chat/completions", { model: "test/claude", messages, ...unusual });
  await answer.text();
  const id = answer.headers.get("x-generation-id");
  const headers = { authorization: `Bearer ${account.key}` };
  const record = await readJson(await fetch(`${server.baseUrl}/generation?id=${id}`, { headers }));
  expect(findSchemaProblems("generation", record)).toEqual([]);
  expect(at(record, "data.ignored_parameters")).toEqual(["frequency_penalty", "min_p"]);
});

test("a caller who requires every parameter gets no answer without one", async () => {
  const provider = { require_parameters: true };
  const refused = await ask("/chat/completions", {
    model: "test/claude",
    messages,
    provider,
    min_p: 0.1,
  });
  const param = "provider.require_parameters";
  await expectFault(refused, { status: 404, code: "no_endpoints", param });
});

test.each([
  ["n", { n: 2 }],
  ["logprobs", { logprobs: true }],
  ["logit_bias", { logit_bias: { 50256: -100 } }],
  ["service_tier", { service_tier: "flex" }],
])("%s changes the answer or its price and is refused", async (param, fields) => {
  const count = server.upstream.requests.length;
  const refused = await ask("/chat/completions", { model: "test/claude", messages, ...fields });
  await expectFault(refused, { status: 400, code: "unsupported_parameter", param });
  expect(server.upstream.requests).toHaveLength(count);
});
