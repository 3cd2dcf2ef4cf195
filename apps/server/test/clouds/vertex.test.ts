// Gemini and Claude on Vertex AI: two dialects behind one service account, whose tokens are obtained once for all
// calls and never disclosed.
import { describe, expect, test } from "bun:test";
import {
  at,
  chatBody,
  contentOf,
  postChat,
  readEvents,
  readJson,
  scripted,
} from "../harness/index.ts";
import { createVertex, serviceAccountJson, vertexPrivateKey } from "./serve-vertex.ts";
import { startCloud } from "./start-cloud.ts";
import { expectWholeBilled, useCloud } from "./use-cloud.ts";

const vertex = createVertex();
const cloud = startCloud(vertex.serve);

const model = (id: string, provider: string, upstream: string) => `
  - id: vertex/${id}
    contextTokens: 100000
    maxOutputTokens: 10000
    capabilities: [tools, json_schema, reasoning, vision]
    reasoning: visible
    routes: [{ provider: ${provider}, model: "${upstream}" }]
    prices: { input: "0.10", cachedInput: "0.025", output: "0.40" }`;
const place = `kind: vertex, location: europe-west1, baseUrl: "${cloud.url}/v1"`;

const { server, account } = await useCloud(
  cloud,
  `
providers:
  - { id: vertex, ${place}, serviceAccount: os.environ/VERTEX_KEY }
  - { id: revoked, ${place}, serviceAccount: os.environ/VERTEX_KEY_REVOKED }
  - { id: unreachable, ${place}, serviceAccount: os.environ/VERTEX_KEY_UNREACHABLE }
models:${model("gemini", "vertex", "gemini-2.5-flash")}${model("claude", "vertex", "claude-sonnet-4-5@20250929")}
${model("revoked", "revoked", "gemini-2.5-flash")}${model("unreachable", "unreachable", "gemini-2.5-flash")}
`,
  {
    VERTEX_KEY: serviceAccountJson(cloud.url),
    VERTEX_KEY_REVOKED: serviceAccountJson(cloud.url, "/refusing-token"),
    VERTEX_KEY_UNREACHABLE: serviceAccountJson("http://127.0.0.1:9"),
  },
);

const location = "/v1/projects/my-project/locations/europe-west1";
const paths = () => cloud.requests.map(({ path }) => path);
const ask = (name: string, fields: object = {}, script = { deltas: 3 }) =>
  postChat(server, account.key, chatBody(script, { model: `vertex/${name}`, ...fields }));

test("calls that need the first token at the same time obtain one together", async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => ask("gemini")));
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
  await Promise.all(answers.map((answer) => answer.text()));
  expect([vertex.issued(), paths().filter((path) => path === "/token").length]).toEqual([1, 1]);
});

describe.each([
  [
    "gemini",
    "/publishers/google/models/gemini-2.5-flash",
    "generateContent",
    "streamGenerateContent?alt=sse",
  ],
  [
    "claude",
    "/publishers/anthropic/models/claude-sonnet-4-5@20250929",
    "rawPredict",
    "streamRawPredict",
  ],
])("%s", (name, path, whole, streamed) => {
  test("a whole completion is requested at its address and billed", async () => {
    const answer = await ask(name);
    await expectWholeBilled(answer);
    expect(paths().at(-1)).toBe(`${location}${path}:${whole}`);
  });

  test("a stream is relayed to its end and billed", async () => {
    const fields = { stream: true, stream_options: { include_usage: true } };
    const stream = await readEvents(await ask(name, fields));
    expect([contentOf(stream), stream.done]).toEqual([" tok tok tok", true]);
    expect(paths().at(-1)).toBe(`${location}${path}:${streamed}`);
  });

  test("requests carry the token, and nothing of the caller's or of the key", async () => {
    await (await ask(name)).text();
    const { headers = {}, body = "" } = cloud.requests.at(-1) ?? {};
    expect(headers.authorization).toMatch(/^Bearer ya29\.token-\d+$/);
    const sent = JSON.stringify(headers) + body;
    expect(sent).not.toContain(account.key);
    expect(sent).not.toContain("PRIVATE KEY");
    expect(Object.keys(headers).filter((header) => header.startsWith("x-"))).toEqual([]);
  });

  test.each([
    [429, 429],
    [503, 503],
    [500, 502],
  ])("its %d is answered with %d", async (theirs, ours) => {
    const answer = await postChat(
      server,
      account.key,
      chatBody({ status: theirs, headers: { "retry-after": "7" } }, { model: `vertex/${name}` }),
    );
    await answer.text();
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([
      ours,
      ours === 502 ? null : "7",
    ]);
  });
});

test("a caller of Anthropic's language reaches Claude without translation", async () => {
  const answer = await fetch(`${server.baseUrl}/messages`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-api-key": account.key,
      "anthropic-beta": "interleaved-thinking-2025-05-14",
    },
    body: JSON.stringify({
      model: "vertex/claude",
      max_tokens: 50,
      messages: [scripted({ deltas: 2 })],
      top_k: 7,
    }),
  });
  const body = await readJson(answer);
  expect([answer.status, at(body, "content.0.text")]).toEqual([200, " tok tok"]);
  const { headers = {}, body: sent = "" } = cloud.requests.at(-1) ?? {};
  expect(headers["anthropic-beta"]).toBe("interleaved-thinking-2025-05-14");
  expect(JSON.parse(sent)).toMatchObject({ top_k: 7, anthropic_version: "vertex-2023-10-16" });
});

test("a token that is refused before it expires is replaced within the call", async () => {
  const issued = vertex.issued();
  vertex.revokeTokens();
  const answer = await ask("gemini");
  await answer.text();
  expect([answer.status, vertex.issued()]).toEqual([200, issued + 1]);
});

test("a key that the token endpoint refuses is a 502 that does not show it", async () => {
  const answer = await ask("revoked");
  const text = await answer.text();
  expect([answer.status, answer.headers.get("x-should-retry")]).toEqual([502, "false"]);
  expect(text).toContain("The upstream provider refused this gateway.");
  for (const line of vertexPrivateKey.split("\n").filter((one) => one.length > 20)) {
    expect(text).not.toContain(line);
  }
  expect(paths().at(-1)).toBe("/refusing-token");
});

test("an unreachable token endpoint counts as an unreachable provider", async () => {
  const answer = await ask("unreachable");
  const { error } = await readJson(answer);
  expect([answer.status, at(error, "message")]).toEqual([
    502,
    "The upstream provider could not be reached.",
  ]);
});
