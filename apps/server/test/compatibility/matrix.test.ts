// Every protocol over every dialect: the same question gets the same answer, and upstream failures are
// reported in the client's protocol. It generates the table of docs/compatibility.md: UPDATE_DOCS=1 writes
// the results.
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import type { Script } from "@turnpike/testing";
import { bedrockClaude, startClouds, vertexClaude, vertexGemini } from "../clouds/start-clouds.ts";
import {
  asObject,
  at,
  catchError,
  expectCleanBooks,
  openAccount,
  readJson,
  readMoney,
  startTestServer,
} from "../harness/index.ts";
import { aiGateway } from "./ai-gateway.fixture.ts";
import { completions } from "./completions.fixture.ts";
import { gemini } from "./gemini.fixture.ts";
import { interactions } from "./interactions.fixture.ts";
import {
  type ClientProtocol,
  chat,
  messages,
  type Question,
  type Reply,
  responses,
} from "./protocols.fixture.ts";
import { expectTable } from "./write-table.fixture.ts";

const protocols = [chat, responses, messages, gemini, interactions, aiGateway, completions];
const dialects = ["openai", "anthropic", "gemini", "openai-responses"];
/** The same dialects behind the addresses, credentials and streams of the clouds. */
const routesInClouds: Readonly<Record<string, string>> = {
  azure: "provider: azure, model: upstream-model",
  "vertex gemini": `provider: vertex, model: ${vertexGemini}`,
  "vertex claude": `provider: vertex, model: "${vertexClaude}"`,
  "bedrock claude": `provider: bedrock, model: "${bedrockClaude}"`,
};
const upstreams = [...dialects, ...Object.keys(routesInClouds)];
const routeTo = (upstream: string) =>
  routesInClouds[upstream] ?? `provider: ${upstream}-like, model: upstream-model`;
const modelOf = (upstream: string) => `matrix/${upstream.replace(" ", "-")}`;
const secret = "an-upstream-key-of-these-tests";

const clouds = startClouds();
const server = await startTestServer({
  environment: clouds.environment,
  catalog: (baseUrl) => {
    clouds.connect(baseUrl);
    return `
providers:
  - { id: openai-like, baseUrl: "${baseUrl}", apiKey: "${secret}" }
  - { id: anthropic-like, kind: anthropic, baseUrl: "${baseUrl}", apiKey: "${secret}" }
  - { id: gemini-like, kind: google, baseUrl: "${baseUrl}beta", apiKey: "${secret}" }
  - { id: openai-responses-like, baseUrl: "${baseUrl}", apiKey: "${secret}", quirks: { responses: only } }${clouds.providerLines}
models:
${upstreams
  .map(
    (upstream) => `
  - id: ${modelOf(upstream)}
    contextTokens: 100000
    maxOutputTokens: 10000
    capabilities: [tools, vision, json_schema, reasoning]
    reasoning: visible
    routes: [{ ${routeTo(upstream)} }]
    prices: { input: "1", output: "2" }`,
  )
  .join("")}
`;
  },
});
const account = await openAccount(server);
afterEach(() => expectCleanBooks(server));
afterAll(async () => {
  await server.close();
  await clouds.close();
});

/** By protocol and dialect: the results of the tests below for each feature. */
const found = new Map<string, Map<string, "yes" | "refused">>();

type Pair = {
  readonly protocol: ClientProtocol;
  readonly dialect: string;
};

const pairs: [string, Pair][] = protocols.flatMap((protocol) =>
  upstreams.map((dialect): [string, Pair] => [
    `${protocol.name} over ${dialect}`,
    { protocol, dialect },
  ]),
);

function post(
  { protocol, dialect }: Pair,
  question: Question,
  script: Script,
  signal?: AbortSignal,
) {
  const text = `hi #script ${JSON.stringify(script)}`;
  const stream = question.stream === true;
  const path = protocol.pathOf?.(modelOf(dialect), stream) ?? protocol.path;
  const own = protocol.headersOf?.(modelOf(dialect), stream);
  return fetch(`${server.baseUrl}${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${account.key}`,
      "content-type": "application/json",
      ...own,
    },
    body: JSON.stringify(protocol.ask(modelOf(dialect), { ...question, text })),
    ...(signal && { signal }),
  });
}

async function ask(pair: Pair, question: Omit<Question, "text">, script: Script): Promise<Reply> {
  const answer = await post(pair, { ...question, text: "" }, script);
  const body = await answer.text();
  if (answer.status !== 200) throw new Error(`${answer.status} ${body}`);
  const { readStream, readWhole } = pair.protocol;
  return question.stream ? readStream(body) : readWhole(asObject(JSON.parse(body)));
}

const weather = { name: "get_weather", arguments: '{"city":"Oslo"}' };
const time = { name: "get_time", arguments: '{"city":"Rome"}' };
const callsOf = (...calls: (typeof weather)[]) =>
  calls.map(({ name, arguments: spelled }) => ({ name, arguments: JSON.parse(spelled) }));

/** All that arrives of an answer whose connection may be cut after it. */
async function textUntilCut(answer: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of answer.body ?? []) text += decoder.decode(chunk, { stream: true });
  } catch (error) {
    if (Error.isError(error) && "code" in error && error.code === "ECONNRESET") return text;
    throw error;
  }
  return text;
}

/** Breaks once the head of the answer was sent, which happens with the first delta. */
async function checkBroken(pair: Pair, how: Script): Promise<void> {
  const script = { ...how, deltas: 3, gate: true, tag: crypto.randomUUID() };
  const answer = await post(pair, { text: "", stream: true }, script);
  server.upstream.open(script.tag);
  const reply = pair.protocol.readStream(await textUntilCut(answer));
  expect(reply).toMatchObject({ complete: false, failed: true });
  // The last delta before a cut may be incomplete.
  expect(reply.text).toMatch(/^( tok){1,3}$/);
}

type Feature = {
  readonly name: string;
  /** Whole or streamed; both by default. */
  readonly only?: "whole" | "streamed";
  readonly check: (pair: Pair, stream: boolean) => Promise<void>;
};

async function checkText(pair: Pair, stream: boolean): Promise<void> {
  const reply = await ask(pair, { stream }, { text: "one two three" });
  expect(reply).toMatchObject({ text: "one two three", complete: true, failed: false });
}

const features: readonly Feature[] = [
  { name: "text", only: "whole", check: checkText },
  { name: "stream", only: "streamed", check: checkText },
  {
    name: "tools",
    async check(pair, stream) {
      const script = { deltas: 0, toolCalls: [weather] };
      const reply = await ask(pair, { stream, tools: [weather.name] }, script);
      expect(reply).toMatchObject({ calls: callsOf(weather), complete: true });
    },
  },
  {
    name: "parallel tools",
    async check(pair, stream) {
      const tools = [weather.name, time.name];
      const reply = await ask(pair, { stream, tools }, { deltas: 2, toolCalls: [weather, time] });
      expect(reply).toMatchObject({ calls: callsOf(weather, time), complete: true });
    },
  },
  {
    name: "image",
    async check(pair, stream) {
      const image = Buffer.from("a picture").toString("base64");
      expect((await ask(pair, { stream, image }, { deltas: 1 })).complete).toBe(true);
      expect(server.upstream.requests.at(-1)?.body).toContain(image);
    },
  },
  {
    name: "schema",
    async check(pair, stream) {
      const text = '{"verdict":"yes"}';
      const reply = await ask(pair, { stream, schemaMember: "verdict" }, { text });
      expect(reply).toMatchObject({ text, complete: true });
      expect(server.upstream.requests.at(-1)?.body).toContain('"verdict"');
    },
  },
  {
    name: "reasoning",
    async check(pair, stream) {
      const reply = await ask(pair, { stream, reasoning: true }, { reasoning: 3, text: "so" });
      expect(reply).toMatchObject({ reasoned: true, text: "so", complete: true });
    },
  },
  {
    name: "error before",
    async check(pair, stream) {
      const script = { status: 429, error: "slow down", headers: { "retry-after": "7" } };
      const answer = await post(pair, { text: "", stream }, script);
      expect(answer.status).toBe(429);
      expect(answer.headers.get("retry-after")).toBe("7");
      expect(at(await readJson(answer), "error.message")).toBeString();
    },
  },
  {
    name: "error inside",
    only: "streamed",
    check: (pair) => checkBroken(pair, { errorAfterDeltas: 3 }),
  },
  { name: "cut", only: "streamed", check: (pair) => checkBroken(pair, { cutAfterDeltas: 3 }) },
  {
    name: "abort",
    only: "streamed",
    async check(pair) {
      const client = new AbortController();
      const script: Script = { endless: true, paceMs: 5, tag: crypto.randomUUID() };
      const before = (await readMoney(server, account.id)).balanceNanos;
      const answer = await post(pair, { text: "", stream: true }, script, client.signal);
      await answer.body?.getReader().read();
      client.abort();
      const asked = await server.upstream.waitFor(({ tag }) => tag === script.tag);
      await asked.gone;
      await expectCleanBooks(server);
      expect((await readMoney(server, account.id)).balanceNanos).toBeLessThan(before);
    },
  },
];

const waysOf = ({ only }: Feature) =>
  [false, true].filter((stream) => only === undefined || stream === (only === "streamed"));

/** Before the upstream is called. */
async function checkRefused(asking: Promise<void>, param: string): Promise<void> {
  const { length } = server.upstream.requests;
  const refusal = String(await catchError(asking));
  expect(refusal).toStartWith("Error: 400 ");
  expect(refusal).toContain(`"param":"${param}"`);
  expect(server.upstream.requests).toHaveLength(length);
}

describe.each(pairs)("%s", (name, pair) => {
  for (const feature of features) {
    test(feature.name, async () => {
      const param = pair.protocol.refused?.[feature.name];
      for (const stream of waysOf(feature)) {
        const asking = feature.check(pair, stream);
        await (param === undefined ? asking : checkRefused(asking, param));
      }
      const seen = found.get(name) ?? new Map();
      found.set(name, seen.set(feature.name, param === undefined ? "yes" : "refused"));
    });
  }
});

test("docs/compatibility.md shows what was found", async () => {
  const names = features.map(({ name }) => name);
  const rows = pairs.map(([pair]) => [
    pair,
    ...names.map((name) => found.get(pair)?.get(name) ?? "no"),
  ]);
  const page = new URL("../../../../docs/compatibility.md", import.meta.url);
  await expectTable(page, [["protocol and dialect", ...names], ...rows]);
});
