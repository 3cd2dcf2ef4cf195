// Random valid conversations of every protocol, as every dialect sends them: no hosted provider would refuse one for its
// turns, its calls or its tools.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { runsOf, searchTimeoutMs } from "@turnpike/testing";
import type { ChatRequest } from "@turnpike/wire";
import fc from "fast-check";
import { allConversationRules } from "../conversation-rules.ts";
import { azureQuirks } from "../known-providers.ts";
import type { Provider, UpstreamCall } from "../provider.ts";
import { whyUntranslatable } from "../why-untranslatable.ts";
import { ownCall } from "./anthropic/sample-messages-call.fixture.ts";
import { dialectOf } from "./dialect-of.ts";
import { geminiCall } from "./gemini/sample-response.fixture.ts";
import { checkChat, knownMembers } from "./hosted-chat-checks.fixture.ts";
import { checkClaude, checkGemini, checkResponses } from "./hosted-checks.fixture.ts";
import { checkKimisSchema, checkOpenaisSchema } from "./hosted-schemas.fixture.ts";
import { sampleProvider } from "./openai/sample-call.fixture.ts";
import { type RandomRequest, randomRequest } from "./random-conversations.fixture.ts";

setDefaultTimeout(searchTimeoutMs);

type Body = Record<string, unknown>;
type Target = {
  readonly provider: Provider;
  readonly upstreamModel: string;
  readonly check: (body: Body, asked: RandomRequest) => string[];
};

const names = /^[a-zA-Z0-9_-]{1,64}$/;
const anyName = /^/;
const claude = ownCall().provider;
const google = geminiCall().provider;
const openai = sampleProvider("openai");

function compatible(like: string, check: Target["check"]): [string, Target] {
  return [like, { provider: sampleProvider(like), upstreamModel: "model-1", check }];
}

/** OpenAI has both APIs; responses are relayed. */
const checkOpenai: Target["check"] = (body) =>
  body.input === undefined
    ? checkChat(body, {
        names,
        idMaxChars: 40,
        objects: true,
        members: knownMembers.openai,
        schemas: checkOpenaisSchema,
      })
    : checkResponses(body);

const azure = (form: "v1" | "deployments"): Target => {
  const address =
    form === "v1" ? { form, apiVersion: undefined } : { form, apiVersion: "2024-10-21" };
  const quirks = azureQuirks(address);
  const provider = { ...openai, id: "azure", quirks, azure: address };
  return { provider, upstreamModel: "deployment", check: checkOpenai };
};

const onClaude = (
  upstreamModel: string,
  prefill: boolean,
  both: boolean,
  cloud?: "vertex" | "bedrock",
): Target => ({
  provider: cloud === undefined ? claude : { ...claude, cloud },
  upstreamModel,
  check: (body) => checkClaude(body, { prefill, both }),
});
const onGemini = (upstreamModel: string, signs: boolean, vertex: boolean): Target => ({
  provider: vertex ? { ...google, cloud: "vertex" } : google,
  upstreamModel,
  check: (body) => checkGemini(body, { vertex, signs }),
});

const targets: [string, Target][] = [
  compatible("openai", checkOpenai),
  compatible("openrouter", (body) => checkChat(body, { names: anyName, idMaxChars: 40 })),
  compatible("mistral", (body) =>
    checkChat(body, { names, mistral: true, members: knownMembers.mistral }),
  ),
  compatible("moonshot", (body) =>
    checkChat(body, {
      names: /^[a-zA-Z][a-zA-Z0-9_-]*$/,
      objects: true,
      reasoning: true,
      schemas: checkKimisSchema,
    }),
  ),
  compatible("deepseek", (body) => checkChat(body, { names: anyName, reasoning: true })),
  ...["groq", "fireworks"].map((like) =>
    compatible(like, (body) => checkChat(body, { names: anyName, members: knownMembers.groq })),
  ),
  ...["together", "xai", "vllm", "ollama"].map((like) =>
    compatible(like, (body) => checkChat(body, { names: anyName })),
  ),
  ["azure", azure("v1")],
  ["azure, dated", azure("deployments")],
  [
    "openai's responses",
    {
      provider: { ...openai, quirks: { ...openai.quirks, responses: "only" } },
      upstreamModel: "model-1",
      check: checkResponses,
    },
  ],
  ["Claude 3.7", onClaude("claude-3-7-sonnet-20250219", true, true)],
  ["Claude 4.5", onClaude("claude-sonnet-4-5", true, false)],
  ["Claude 4.6", onClaude("claude-opus-4-6", false, false)],
  ["Claude 4.8", onClaude("claude-opus-4-8", false, false)],
  [
    "Claude on Bedrock",
    onClaude("us.anthropic.claude-sonnet-4-5-20250929-v1:0", true, false, "bedrock"),
  ],
  ["Claude on Vertex AI", onClaude("claude-sonnet-4-5@20250929", true, false, "vertex")],
  ["Gemini 2.5", onGemini("gemini-2.5-flash", false, false)],
  ["Gemini 3", onGemini("gemini-3-pro-preview", true, false)],
  ["Gemini 2.5 on Vertex AI", onGemini("gemini-2.5-flash", false, true)],
  ["Gemini 3 on Vertex AI", onGemini("gemini-3-pro-preview", true, true)],
];

function callOf(
  { provider, upstreamModel }: Target,
  request: ChatRequest,
): UpstreamCall<ChatRequest> {
  const identity = { id: "ours", model: "m", created: 1 };
  const limits = { maxTokens: undefined, coveredTokens: 1_000, omittedFields: [] };
  return { provider, upstreamModel, request, identity, ...limits };
}

test.each(targets)("%s is sent no conversation that it would refuse", (_, target) => {
  let sent = 0;
  fc.assert(
    fc.property(randomRequest, (asked) => {
      const { request } = asked;
      if (whyUntranslatable(target, request) !== undefined) return;
      const call = callOf(target, request);
      const { body } = dialectOf(call).buildRequest(call);
      sent += 1;
      expect(target.check(JSON.parse(body), asked)).toEqual([]);
    }),
    { numRuns: runsOf({ short: 100, long: 10_000 }) },
  );
  expect(sent).toBeGreaterThan(50);
});

describe("the table of rules", () => {
  test("docs/dialects.md shows every row", async () => {
    const docs = await Bun.file(`${import.meta.dir}/../../../../docs/dialects.md`).text();
    const rows = docs.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
    for (const { providers, refuses, sent, source } of allConversationRules()) {
      expect(rows).toContainEqual(["", providers, refuses, sent, `[source](${source})`, ""]);
    }
  });
});
