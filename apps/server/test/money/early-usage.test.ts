// The rows of docs/billing.md in which a provider has reported its input before its stream ends without a final
// report: Anthropic in its first event, Gemini in each. Cached and cache-written tokens keep their own prices.
import { afterAll, afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Script } from "@turnpike/testing";
import {
  asObject,
  expectCleanBooks,
  openAccount,
  providerKey,
  scripted,
  startTestServer,
} from "../harness/index.ts";
import { askChat } from "./ask-chat.ts";
import { awaitRequest } from "./read-requests.ts";

setDefaultTimeout(180_000);

const entry = (id: string, provider: string) => `
  - id: early/${id}
    contextTokens: 100000
    maxOutputTokens: 10000
    capabilities: [tools]
    routes: [{ provider: ${provider}, model: upstream }]
    prices: { input: "0.10", cachedInput: "0.025", cacheWrite: "0.125", output: "0.40" }`;

const server = await startTestServer({
  catalog: (baseUrl) => `
providers:
  - { id: claude, kind: anthropic, baseUrl: "${baseUrl}", apiKey: "${providerKey}" }
  - { id: gemini, kind: google, baseUrl: "${baseUrl}beta", apiKey: "${providerKey}" }
  - { id: chat, baseUrl: "${baseUrl}", apiKey: "${providerKey}" }
models:${entry("claude", "claude")}${entry("gemini", "gemini")}${entry("chat", "chat")}
`,
});
const account = await openAccount(server);
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

let calls = 0;

/** A stream of chat completions, or of Anthropic's messages in the provider's own language. */
async function ask(
  model: string,
  script: Script,
  { isOwn = false, leave = false }: { isOwn?: boolean; leave?: boolean } = {},
) {
  calls += 1;
  const name = `early-${calls}`;
  const controller = new AbortController();
  const body = {
    model: `early/${model}`,
    max_tokens: 100,
    stream: true,
    ...(script.cacheWriteTokens !== undefined && { cache_control: { type: "ephemeral" } }),
    messages: [scripted({ tag: name, deltas: 30, ...script })],
  };
  const onText = (text: string) => {
    if (leave && text.split("tok").length > 4) controller.abort();
  };
  const { signal } = controller;
  if (isOwn) {
    const answer = await fetch(`${server.url}/v1/messages`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-api-key": account.key,
        "user-agent": name,
      },
      body: JSON.stringify(body),
    });
    await answer.text();
  } else await askChat(server, { key: account.key, name, body, signal, onText });
  const row = await awaitRequest(server, name);
  const sent = server.upstream.requests.find(({ tag }) => tag === name);
  return { row, reported: asObject(sent?.delivered.usage ?? {}), sent };
}

const breaks = [
  ["is cut", { cutAfterDeltas: 8, paceMs: 2 }],
  ["ends with an error", { errorAfterDeltas: 8, paceMs: 2 }],
] as const;

describe.each([
  ["of a caller in the same language", true],
  ["of a translated call", false],
])("a stream of Anthropic %s", (_, isOwn) => {
  test.each(breaks)("that %s is billed for the input it reported", async (_, script) => {
    const cached = { cachedTokens: 4, cacheWriteTokens: 3 };
    const { row, reported } = await ask("claude", { ...cached, ...script }, { isOwn });
    const input = Number(reported.input_tokens);
    expect(input).toBeGreaterThan(0);
    expect(row).toMatchObject({
      outcome: "upstream_failed",
      usageSource: "counted",
      promptTokens: input + 7,
      cachedTokens: 4,
      cacheWriteTokens: 3,
      shortfallNanos: 0n,
    });
    expect(row.completionTokens).toBeGreaterThan(4);
    const output = BigInt(row.completionTokens) * 400n;
    expect(row.chargedNanos).toBe(BigInt(input) * 100n + 4n * 25n + 3n * 125n + output);
  });
});

test.each(breaks)(
  "a stream of Gemini that %s is billed for the input it reported",
  async (_, script) => {
    const { row, reported } = await ask("gemini", { cachedTokens: 5, ...script });
    const prompt = Number(reported.promptTokenCount);
    expect(row).toMatchObject({ usageSource: "counted", promptTokens: prompt, cachedTokens: 5 });
    expect(row.completionTokens).toBeGreaterThan(4);
    const output = BigInt(row.completionTokens) * 400n;
    expect(row.chargedNanos).toBe(BigInt(prompt - 5) * 100n + 5n * 25n + output);
  },
);

test.each(["claude", "gemini"])(
  "a client that disconnects from a stream of %s pays for the input that was reported",
  async (model) => {
    const { row, reported } = await ask(
      model,
      { cachedTokens: 5, deltas: 90, paceMs: 20 },
      { leave: true },
    );
    const prompt =
      model === "claude" ? Number(reported.input_tokens) + 5 : Number(reported.promptTokenCount);
    expect(row).toMatchObject({
      outcome: "client_closed",
      usageSource: "counted",
      promptTokens: prompt,
      cachedTokens: 5,
    });
    const output = BigInt(row.completionTokens) * 400n;
    expect(row.chargedNanos).toBe(BigInt(prompt - 5) * 100n + 5n * 25n + output);
  },
);

test("output is billed by the larger count: what was reported, or what was relayed", async () => {
  const usage = { promptTokenCount: 50, totalTokenCount: 110 };
  const script = breaks[0][1];
  const more = await ask("gemini", { usage: { ...usage, candidatesTokenCount: 60 }, ...script });
  expect(more.row).toMatchObject({ promptTokens: 50, completionTokens: 60 });
  const less = await ask("gemini", { usage: { ...usage, candidatesTokenCount: 1 }, ...script });
  expect(less.row.promptTokens).toBe(50);
  expect(less.row.completionTokens).toBeGreaterThan(4);
});

test("a report without input, as from providers that count at the end, is a placeholder", async () => {
  const usage = { promptTokenCount: 0, candidatesTokenCount: 0, totalTokenCount: 0 };
  const { row } = await ask("gemini", { usage, ...breaks[0][1] });
  expect(row.promptTokens).toBeGreaterThan(5);
  expect(row.completionTokens).toBeGreaterThan(4);
});

test("a report before the first token starts no answer: an error after it has its status and is free", async () => {
  for (const model of ["claude", "gemini"]) {
    const { row } = await ask(model, { errorAfterDeltas: 0 });
    expect(row).toMatchObject({ status: 502, usageSource: "none", chargedNanos: 0n });
  }
});

test("a stream that completes is billed by its final report only", async () => {
  for (const model of ["claude", "gemini"]) {
    const { row } = await ask(model, { deltas: 9, cachedTokens: 4 });
    expect(row).toMatchObject({
      usageSource: "upstream",
      completionTokens: 9,
      cachedTokens: 4,
    });
  }
});
