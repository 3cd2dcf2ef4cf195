// Models behind Azure OpenAI: both forms of its API, both ways to send a key, and answers that only Azure
// gives.
import { describe, expect, test } from "bun:test";
import {
  asObject,
  at,
  chatBody,
  contentOf,
  expectFault,
  findSchemaProblems,
  postChat,
  readEvents,
  readJson,
} from "../harness/index.ts";
import { azureKey, entraSecret, serveAzure } from "./serve-azure.ts";
import { startCloud } from "./start-cloud.ts";
import { expectWholeBilled, useCloud } from "./use-cloud.ts";

const cloud = startCloud(serveAzure);

const chatModel = (id: string, provider: string, deployment: string) => `
  - id: azure/${id}
    contextTokens: 100000
    maxOutputTokens: 10000
    capabilities: [tools, json_schema]
    routes: [{ provider: ${provider}, model: ${deployment} }]
    prices: { input: "0.10", cachedInput: "0.025", output: "0.40" }`;

const { server, account } = await useCloud(
  cloud,
  `
providers:
  - { id: azure, baseUrl: "${cloud.url}/azure", apiVersion: 2024-10-21, apiKey: "${azureKey}" }
  - { id: newer, kind: azure, baseUrl: "${cloud.url}/azure", auth: bearer, apiKey: "${azureKey}" }
  - { id: expired, kind: azure, baseUrl: "${cloud.url}/azure", apiKey: "azure-key-that-is-revoked" }
  - id: entra
    kind: azure
    baseUrl: "${cloud.url}/azure"
    entra: { tenantId: my-tenant, clientId: my-app, clientSecret: "${entraSecret}", authority: "${cloud.url}/entra" }
models:${chatModel("entra", "entra", "my-mini")}${chatModel("dated", "azure", "my-mini")}${chatModel("v1", "newer", "my-mini")}
${chatModel("missing", "azure", "missing")}${chatModel("expired", "expired", "my-mini")}
  - id: azure/embeddings
    operation: embeddings
    contextTokens: 1000
    dimensions: 256
    routes: [{ provider: azure, model: my-embeddings }]
    prices: { input: "0.02" }
`,
);

const lastSent = () => cloud.requests.at(-1);

describe.each([
  ["dated", "/azure/openai/deployments/my-mini/chat/completions?api-version=2024-10-21", "api-key"],
  ["v1", "/azure/openai/v1/chat/completions", "authorization"],
])("the %s form", (form, path, header) => {
  const model = `azure/${form}`;

  test("a whole completion is requested at its address, with only its key, and billed", async () => {
    const answer = await postChat(server, account.key, chatBody({ deltas: 3 }, { model }));
    await expectWholeBilled(answer);
    expect(lastSent()?.path).toBe(path);
    const { headers = {} } = lastSent() ?? {};
    expect(headers[header]).toBe(header === "api-key" ? azureKey : `Bearer ${azureKey}`);
    expect("authorization" in headers && "api-key" in headers).toBe(false);
  });

  test("a stream begins with its first token, not with the results of the content filter", async () => {
    const body = chatBody(
      { deltas: 4 },
      { model, stream: true, stream_options: { include_usage: true } },
    );
    const stream = await readEvents(await postChat(server, account.key, body));
    expect(stream.text).not.toContain("prompt_filter_results");
    for (const event of stream.events) {
      expect(findSchemaProblems("CreateChatCompletionStreamResponse", event)).toEqual([]);
    }
    expect(contentOf(stream)).toBe(" tok".repeat(4));
    expect(lastSent()?.path).toBe(path);
  });
});

test("the responses of Azure's v1 API are relayed without translation", async () => {
  const script = JSON.stringify({ deltas: 1 });
  await fetch(`${server.baseUrl}/responses`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${account.key}` },
    body: JSON.stringify({ model: "azure/v1", input: `hello #script ${script}` }),
  });
  expect(lastSent()?.path).toBe("/azure/openai/v1/responses");
  expect(asObject(JSON.parse(lastSent()?.body ?? "")).model).toBe("my-mini");
});

test("embeddings are requested from their own deployment", async () => {
  const answer = await fetch(`${server.baseUrl}/embeddings`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${account.key}` },
    body: JSON.stringify({ model: "azure/embeddings", input: "a" }),
  });
  expect(answer.status).toBe(200);
  await answer.json();
  expect(lastSent()?.path).toBe(
    "/azure/openai/deployments/my-embeddings/embeddings?api-version=2024-10-21",
  );
});

test("a prompt that the content filter refuses is a 400 content_filter", async () => {
  const error = {
    message: "The response was filtered due to the prompt triggering Azure's policy.",
    type: null,
    param: "prompt",
    code: "content_filter",
    status: 400,
    innererror: { code: "ResponsibleAIPolicyViolation", content_filter_result: {} },
  };
  const body = chatBody({ status: 400, error }, { model: "azure/dated" });
  const answer = await postChat(server, account.key, body);
  const fault = await expectFault(answer, {
    status: 400,
    code: "content_filter",
    param: "prompt",
  });
  expect(fault.message).toBe(error.message);
});

test("a rate limit keeps its status and its wait", async () => {
  const error = { code: "429", message: "Requests have exceeded the call rate limit." };
  const script = { status: 429, error, headers: { "retry-after": "6" } };
  const answer = await postChat(server, account.key, chatBody(script, { model: "azure/dated" }));
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "6"]);
  await answer.json();
});

test("an application of Entra gets a token, once", async () => {
  for (let call = 0; call < 2; call += 1) {
    const answer = await postChat(server, account.key, chatBody({}, { model: "azure/entra" }));
    await answer.text();
    expect([answer.status, lastSent()?.headers.authorization]).toEqual([200, `Bearer ${azureKey}`]);
  }
  const asked = cloud.requests.filter(({ path }) => path.startsWith("/entra/"));
  expect(asked).toHaveLength(1);
});

test("a refused key is a 502 that does not show it", async () => {
  const answer = await postChat(server, account.key, chatBody({}, { model: "azure/expired" }));
  expect(answer.headers.get("x-should-retry")).toBe("false");
  const text = await answer.text();
  expect([answer.status, text.includes("azure-key")]).toEqual([502, false]);
});

test("a deployment that does not exist is the operator's to mend, in neutral words", async () => {
  const answer = await postChat(server, account.key, chatBody({}, { model: "azure/missing" }));
  const { error } = await readJson(answer);
  expect([answer.status, at(error, "message")]).toEqual([
    502,
    "The upstream provider does not serve this model to this gateway.",
  ]);
});
