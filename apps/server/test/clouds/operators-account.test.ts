// What could reach more of the operator's account with a provider than its models never leaves the gateway, on every
// endpoint: it is refused before anything is charged, or a translation into another language leaves it out.
import { expect, test } from "bun:test";
import { asObject, at, type JsonObject, startTestServer, useServer } from "../harness/index.ts";
import { azureKey, serveAzure } from "./serve-azure.ts";
import { bedrockApiKey, serveBedrock } from "./serve-bedrock.ts";
import { createVertex, serviceAccountJson } from "./serve-vertex.ts";
import { startCloud } from "./start-cloud.ts";

const azure = startCloud(serveAzure);
const bedrock = startCloud(serveBedrock);
const vertex = startCloud(createVertex().serve);
const clouds = [azure, bedrock, vertex];

const model = (id: string, provider: string, upstream = "my-model") => `
  - id: hosted/${id}
    contextTokens: 100000
    maxOutputTokens: 10000
    capabilities: [tools, vision, files, reasoning]
    reasoning: visible
    routes: [{ provider: ${provider}, model: "${upstream}" }]
    prices: { input: "0.10", cachedInput: "0.025", cacheWrite: "0.125", output: "0.40" }`;

const vectors = (id: string, provider: string) => `
  - id: hosted/${id}
    operation: embeddings
    contextTokens: 1000
    dimensions: 256
    routes: [{ provider: ${provider}, model: my-embeddings }]
    prices: { input: "0.02" }`;

const { server, account } = await useServer(
  startTestServer({
    environment: { VERTEX_KEY: serviceAccountJson(vertex.url) },
    catalog(baseUrl) {
      for (const cloud of clouds) cloud.connect(baseUrl);
      const hosted = `baseUrl: "${baseUrl}", apiKey: k, unknownFields: refused`;
      return `
providers:
  - { id: azure, baseUrl: "${azure.url}/azure", apiVersion: 2024-10-21, apiKey: "${azureKey}" }
  - { id: newer, kind: azure, baseUrl: "${azure.url}/azure", auth: bearer, apiKey: "${azureKey}", quirks: { responses: native } }
  - { id: openai-like, ${hosted}, quirks: { responses: native } }
  - { id: claude, kind: anthropic, ${hosted} }
  - { id: bedrock, baseUrl: "${bedrock.url}", region: us-east-1, apiKey: "${bedrockApiKey}" }
  - { id: vertex, baseUrl: "${vertex.url}/v1", location: europe-west1, serviceAccount: os.environ/VERTEX_KEY }
models:${model("azure", "azure")}${model("newer", "newer")}${model("openai", "openai-like")}${model("claude", "claude")}
${model("bedrock", "bedrock", "us.anthropic.claude-sonnet-4-5-20250929-v1:0")}
${model("vertex-claude", "vertex", "claude-sonnet-4-5@20250929")}${model("vertex-gemini", "vertex", "gemini-2.5-flash")}
${vectors("azure-vectors", "azure")}${vectors("openai-vectors", "openai-like")}
`;
    },
  }),
);

const sent = () =>
  [server.upstream, ...clouds].flatMap(({ requests }) => requests.map(({ body }) => body));

function post(path: string, body: JsonObject): Promise<Response> {
  return fetch(`${server.baseUrl}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

const text = "hello";
const user = (part: JsonObject) => [{ role: "user", content: [{ type: "text", text }, part] }];
const asked = {
  "/chat/completions": { messages: [{ role: "user", content: text }], max_tokens: 9 },
  "/completions": { prompt: text },
  "/responses": { input: text },
  "/messages": { messages: [{ role: "user", content: text }], max_tokens: 9 },
  "/embeddings": { input: text },
} as const;
type Path = keyof typeof asked;

/** In each value that no provider may receive. */
const owned = "owned-by-the-operator";
const search = [{ type: "azure_search", parameters: { endpoint: owned } }];
/** By themselves on every endpoint. */
const fields: readonly JsonObject[] = [
  { data_sources: search },
  { dataSources: search },
  { enhancements: { ocr: { enabled: owned } } },
  { file_id: owned },
  { container: owned },
  { speed: owned },
  { inference_geo: owned },
  { vector_store_ids: [owned] },
];

const file = { type: "file", file: { file_id: owned } };
const image = { type: "image", source: { type: "file", file_id: owned } };
const called = { type: "function", function: { name: "f" } };
const inputOf = (part: JsonObject) => ({
  input: [{ role: "user", content: [{ type: "input_text", text }, part] }],
});
/** Inside of what each endpoint knows. */
const nested: Readonly<Record<Path, readonly JsonObject[]>> = {
  "/chat/completions": [
    { messages: user(file) },
    {
      messages: user({ ...file, file: { ...file.file, file_data: "data:text/plain;base64,aGk=" } }),
    },
    { messages: user({ type: "text", text, file_id: owned }) },
    { messages: [{ role: "user", content: text, data_sources: search }] },
    { messages: [{ role: "user", content: text, attachments: [{ file_id: owned }] }] },
    { tools: [{ ...called, container: owned }] },
  ],
  "/completions": [{ messages: user(file) }, { prompt: [{ file_id: owned }] }],
  "/responses": [
    inputOf({ type: "input_file", file_id: owned }),
    inputOf({ type: "input_image", file_id: owned }),
    inputOf({ type: "input_text", text, file_ids: [owned] }),
    { tools: [{ type: "file_search", vector_store_ids: [owned] }] },
    { tools: [{ type: "code_interpreter", container: owned }] },
    { tools: [{ type: "function", name: "f", container: owned }] },
    { conversation: owned },
    { prompt: { id: owned } },
  ],
  "/messages": [
    { messages: user(image) },
    { messages: user({ ...image, type: "document" }) },
    { messages: user({ type: "container_upload", file_id: owned }) },
    { messages: user({ type: "text", text, container: owned }) },
    { mcp_servers: [{ type: "url", url: `https://${owned}.example`, name: "m" }] },
    { tools: [{ name: "f", input_schema: {}, file_ids: [owned] }] },
    { system: [{ type: "text", text, file_id: owned }] },
  ],
  "/embeddings": [{ input: [{ file_id: owned }] }, { input: { file_id: owned } }],
};

const inClouds = ["bedrock", "vertex-claude", "vertex-gemini"];
/** `/v1/messages` in OpenAI's language, `/v1/chat/completions` in Anthropic's: everything is translated, too. */
const models: Readonly<Record<Path, readonly string[]>> = {
  "/chat/completions": ["azure", "newer", "openai", "claude", ...inClouds],
  "/completions": ["azure", "openai", "claude", ...inClouds],
  "/responses": ["newer", "openai", "azure", "claude", ...inClouds],
  "/messages": ["claude", "azure", "openai", ...inClouds],
  "/embeddings": ["azure-vectors", "openai-vectors"],
};

const paths = [
  "/chat/completions",
  "/completions",
  "/responses",
  "/messages",
  "/embeddings",
] as const;
const cases = paths.flatMap((path) => models[path].map((name) => [path, name] as const));

test.each(cases)(
  "POST %s to %s sends no field that could reach the account",
  async (path, name) => {
    const body = { model: `hosted/${name}`, ...asked[path] };
    const plain = await post(path, body);
    expect([plain.status, await plain.text()]).toEqual([200, expect.any(String)]);
    for (const field of [...fields, ...nested[path]]) {
      const answer = await post(path, { ...body, ...field });
      await answer.text();
      expect(answer.status).toBeOneOf([200, 400]);
      expect(sent().filter((text) => text.includes(owned))).toEqual([]);
    }
  },
);

const relayed = [
  ["/chat/completions", "azure"],
  ["/chat/completions", "newer"],
  ["/responses", "newer"],
  ["/messages", "claude"],
  ["/messages", "bedrock"],
  ["/messages", "vertex-claude"],
  ["/embeddings", "azure-vectors"],
] as const;

test.each(relayed)(
  "POST %s to %s, which is not translated, refuses each by its name",
  async (path, name) => {
    const seen = sent().length;
    for (const field of [...fields, ...nested[path]]) {
      const answer = await post(path, { model: `hosted/${name}`, ...asked[path], ...field });
      const message = at(asObject(await answer.json()), "error.message");
      expect([field, answer.status, message]).toEqual([field, 400, expect.any(String)]);
    }
    expect(sent().length).toBe(seen);
  },
);
