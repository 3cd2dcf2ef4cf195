// The log of a real process, at its most verbose level, contains neither a caller's key nor a provider's,
// wherever they were sent; at its default level, it contains nothing of a prompt either.
import { afterAll, expect, test } from "bun:test";
import { spawnServer } from "@turnpike/testing";
import { bedrockClaude, startClouds, vertexClaude, vertexGemini } from "../clouds/start-clouds.ts";
import {
  chatBody,
  getPath,
  openAccount,
  openTestSite,
  postChat,
  providerKey,
  scripted,
  scriptText,
  testCatalog,
  testModels,
} from "../harness/index.ts";

const clouds = startClouds();
const ofClouds = [
  ["cloud/azure", "azure", "my-mini"],
  ["cloud/gemini", "vertex", vertexGemini],
  ["cloud/vertex", "vertex", vertexClaude],
  ["cloud/bedrock", "bedrock", bedrockClaude],
] as const;
const cloudModels = ofClouds.map(([id]) => id);

function catalog(baseUrl: string): string {
  clouds.connect(baseUrl);
  const models = ofClouds.map(
    ([id, provider, upstream]) => `  - id: ${id}
    contextTokens: 100000
    maxOutputTokens: 10000
    capabilities: []
    routes: [{ provider: ${provider}, model: "${upstream}" }]
    prices: { input: "0.10", cachedInput: "0.025", cacheWrite: "0.125", output: "0.40" }`,
  );
  const own = testCatalog(baseUrl).replace("providers:", `providers:${clouds.providerLines}`);
  return `${own}\n${models.join("\n")}\n`;
}

const site = await openTestSite({
  catalog,
  environment: { LOG_LEVEL: "trace", DRAIN_NOTICE_MS: "0", ...clouds.environment },
});
const server = await spawnServer(site.environment);
afterAll(async () => {
  await server.kill();
  await site.close();
  await clouds.close();
});

test("no API key or provider key reaches the log", async () => {
  const account = await openAccount(site);
  const { key } = account;
  const echo = { status: 400, error: `Wrong key: ${providerKey}` };
  const answers = [
    await postChat(server, key, chatBody({ deltas: 1 })),
    await postChat(server, key, chatBody(echo)),
    await postChat(server, key, chatBody({ ...echo, status: 500 })),
    await postChat(server, key, chatBody({ deltas: 3, cutAfterDeltas: 1 }, { stream: true })),
    await postChat(server, `${key}x`, chatBody({ deltas: 1 })),
    await postChat(server, key, chatBody({}, { model: key, user: key })),
    await getPath(server, key, `/generation?id=${key}`),
    await getPath(server, key, `/${key}`),
    await getPath(server, key, `/models/${key}`),
  ];
  for (const answer of answers) expect(await answer.text()).not.toContain(providerKey);
  await server.kill("SIGINT");
  const output = server.output();
  expect(output).toContain('"msg":"listening"');
  expect(output).not.toContain(key);
  expect(output).not.toContain(providerKey);
  expect(output).not.toContain(new URL(site.environment.DATABASE_URL ?? "").password);
});

const canary = "canary-of-a-prompt";
const broken = [
  { status: 400, error: canary },
  { status: 401, error: canary },
  { status: 429, error: canary },
  { status: 500, error: canary },
  { deltas: 3, cutAfterDeltas: 1 },
  { deltas: 1 },
] as const;

test("nothing of a prompt reaches the log at its default level, from any endpoint, failed or not", async () => {
  const quiet = await spawnServer({ ...site.environment, LOG_LEVEL: "info" });
  const { key } = await openAccount(site);
  const post = async (path: string, body: unknown) => {
    const sent = typeof body === "string" ? body : JSON.stringify(body);
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const answer = await fetch(`${quiet.baseUrl}${path}`, { method: "POST", headers, body: sent });
    // A broken stream ends with its connection.
    await answer.text().catch(() => "");
    return answer.status;
  };
  const statuses: number[] = [];
  const ask = async (path: string, body: unknown) => statuses.push(await post(path, body));
  const { cheap, anthropic, bursty } = testModels;
  for (const model of [cheap, anthropic, bursty, ...cloudModels]) {
    const asked = broken.flatMap((script) => {
      const messages = [scripted(script, canary)];
      const prompt = scriptText(script, canary);
      const calls = [false, true].flatMap((stream) => [
        ask("/chat/completions", { model, stream, max_tokens: 9, messages }),
        ask("/messages", { model, stream, max_tokens: 9, messages }),
        ask("/completions", { model, stream, max_tokens: 9, prompt }),
        ask("/responses", { model, stream, input: prompt }),
      ]);
      const counted = { model, messages };
      return [
        ...calls,
        ask("/messages/count_tokens", counted),
        ask("/responses/input_tokens", { model, input: prompt }),
        ask("/estimate", counted),
      ];
    });
    await Promise.all(asked);
  }
  for (const script of broken) {
    const input = scriptText(script, canary);
    statuses.push(await post("/embeddings", { model: testModels.embeddings, input }));
  }
  const invalid = [
    `{"model":"${canary}`,
    { [canary]: canary },
    { model: canary, messages: canary },
  ];
  const endpoints = [
    "/chat/completions",
    "/messages",
    "/completions",
    "/responses",
    "/embeddings",
    "/estimate",
    "/messages/count_tokens",
    "/responses/input_tokens",
  ];
  for (const path of endpoints) {
    for (const body of invalid) statuses.push(await post(path, body));
  }
  for (const status of [200, 400, 429, 502]) expect(statuses).toContain(status);
  await quiet.kill("SIGINT");
  const output = quiet.output();
  for (const provider of ["scripted", "claude", "azure", "vertex", "bedrock"]) {
    expect(output).toContain(`"provider":"${provider}"`);
  }
  expect(output).not.toContain(canary);
});
