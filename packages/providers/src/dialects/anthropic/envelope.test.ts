// How clouds address Anthropic's models, and what the body has there instead of headers.
import { expect, test } from "bun:test";
import { messagesProtocol } from "@turnpike/wire";
import { anthropicDialect } from "./anthropic-dialect.ts";
import { buildRequest } from "./build-request.ts";
import type { MessagesCall } from "./message-stream.ts";
import { chatCall, ownCall } from "./sample-messages-call.fixture.ts";

const messages = [{ role: "user", content: "Hello" }];
const betas = new Headers({
  "anthropic-version": "2023-06-01",
  "anthropic-beta": "interleaved-thinking-2025-05-14,fast-mode-2026-02-01",
});

function inCloud(
  call: MessagesCall,
  cloud: "vertex" | "bedrock",
  upstreamModel: string,
): MessagesCall {
  return { ...call, upstreamModel, provider: { ...call.provider, cloud } };
}

/**
 * From a caller of Anthropic's language who has asked for a beta, and tries to enable others in the
 * body.
 */
function ownCallWithBetas(fields: object): MessagesCall {
  const body = { model: "m", max_tokens: 9, messages, anthropic_beta: ["x"], ...fields };
  return { ...ownCall(), request: messagesProtocol.parse(JSON.stringify(body), betas) };
}

const claude = "claude-sonnet-4-5@20250929";

test.each([
  [{}, "rawPredict", {}],
  [{ stream: true }, "streamRawPredict", { stream: true }],
])("Vertex AI: a request with %j is sent to %s", (fields, method, more) => {
  for (const call of [ownCall(fields), chatCall({ ...fields, max_tokens: 100 })]) {
    const { path, headers, body } = buildRequest(inCloud(call, "vertex", claude));
    expect(path).toBe(`/publishers/anthropic/models/${claude}:${method}`);
    expect(headers).toEqual({});
    expect(JSON.parse(body)).toMatchObject({ ...more, anthropic_version: "vertex-2023-10-16" });
    expect(Object.keys(JSON.parse(body)).sort()).toEqual(
      ["anthropic_version", "max_tokens", "messages", ...Object.keys(more)].sort(),
    );
  }
});

test("Vertex AI: allowed betas are sent as a header, and none in the body", () => {
  const { headers, body } = buildRequest(inCloud(ownCallWithBetas({}), "vertex", claude));
  expect(headers).toEqual({ "anthropic-beta": "interleaved-thinking-2025-05-14" });
  expect(JSON.parse(body)).not.toHaveProperty("anthropic_beta");
});

const bedrockModel = "anthropic.claude-sonnet-4-20250514-v1:0";
const eventStream = { accept: "application/vnd.amazon.eventstream" };

test.each([
  [{}, "invoke", {}],
  [{ stream: true }, "invoke-with-response-stream", eventStream],
])("Bedrock: a request with %j is sent to %s", (fields, method, accept) => {
  for (const call of [ownCall(fields), chatCall({ ...fields, max_tokens: 100 })]) {
    const { path, headers, body } = buildRequest(inCloud(call, "bedrock", bedrockModel));
    expect(path).toBe(`/model/anthropic.claude-sonnet-4-20250514-v1%3A0/${method}`);
    expect(headers).toEqual(accept);
    expect(JSON.parse(body)).toMatchObject({ anthropic_version: "bedrock-2023-05-31" });
    expect(Object.keys(JSON.parse(body)).sort()).toEqual(
      ["anthropic_version", "max_tokens", "messages"].sort(),
    );
  }
});

test("Bedrock: allowed betas are sent in the body instead of the caller's own", () => {
  const allowed = buildRequest(inCloud(ownCallWithBetas({}), "bedrock", bedrockModel));
  expect(JSON.parse(allowed.body).anthropic_beta).toEqual(["interleaved-thinking-2025-05-14"]);
  const without = buildRequest(
    inCloud(ownCall({ anthropic_beta: ["x"] }), "bedrock", bedrockModel),
  );
  expect(JSON.parse(without.body)).not.toHaveProperty("anthropic_beta");
});

/** What Claude Code sends to an address that is not a cloud's. */
const agentsBetas = [
  "claude-code-20250219",
  "interleaved-thinking-2025-05-14",
  "context-management-2025-06-27",
  "prompt-caching-scope-2026-01-05",
  "advanced-tool-use-2025-11-20",
  "effort-2025-11-24",
  "fine-grained-tool-streaming-2025-05-14",
];
const management = { edits: [{ type: "clear_thinking_20251015", keep: "all" }] };
const tool = { name: "f", input_schema: { type: "object" } };

function agentsCall(cloud: "vertex" | "bedrock", upstreamModel: string): MessagesCall {
  const fields = {
    context_management: management,
    service_tier: "auto",
    speed: "standard",
    tools: [{ ...tool, eager_input_streaming: true }],
  };
  const body = JSON.stringify({ model: "m", max_tokens: 9, messages, ...fields });
  const headers = new Headers({ "anthropic-beta": agentsBetas.join(",") });
  const call = inCloud(ownCall(), cloud, upstreamModel);
  return { ...call, request: messagesProtocol.parse(body, headers) };
}

test("a cloud gets the betas it takes, by its names, and no fields that it refuses", () => {
  const vertex = buildRequest(agentsCall("vertex", claude));
  const bedrock = buildRequest(agentsCall("bedrock", bedrockModel));
  const common = ["interleaved-thinking-2025-05-14", "context-management-2025-06-27"];
  const search = "tool-search-tool-2025-10-19";
  expect(vertex.headers?.["anthropic-beta"]).toBe([...common, search].join(","));
  const more = [search, "effort-2025-11-24", "fine-grained-tool-streaming-2025-05-14"];
  expect(JSON.parse(bedrock.body).anthropic_beta).toEqual([...common, ...more]);
  for (const { body } of [vertex, bedrock]) {
    const sent = JSON.parse(body);
    for (const name of ["service_tier", "speed"]) expect(sent).not.toHaveProperty(name);
    expect([sent.context_management, sent.tools]).toEqual([management, [tool]]);
  }
  // Without its beta the field would be refused.
  const asked = buildRequest(
    inCloud(ownCallWithBetas({ context_management: management }), "vertex", claude),
  );
  expect(JSON.parse(asked.body)).not.toHaveProperty("context_management");
});

const refusals = {
  vertex: "Unexpected value(s) `context-management-2025-06-27` for the `anthropic-beta` header.",
  bedrock: 'The model returned the following errors: {"message":"invalid beta flag"}',
};

test.each(["vertex", "bedrock"] as const)(
  "%s: a model that refuses betas is asked without any, and at once the next time",
  (cloud) => {
    const call = agentsCall(cloud, `claude-of-${cloud}`);
    const refusal = JSON.stringify({ message: refusals[cloud] });
    const askInstead = anthropicDialect.retryAfterRefusal?.bind(anthropicDialect);
    const first = buildRequest(call);
    expect(askInstead?.(call, first, 400, '{"message":"max_tokens: odd"}')).toBeUndefined();
    const second = askInstead?.(call, first, 400, refusal);
    expect(JSON.stringify([second?.headers, second?.body])).not.toMatch(/beta|context_management/);
    expect(JSON.parse(second?.body ?? "").tools).toEqual([tool]);
    const next = buildRequest(call);
    expect([next.headers, next.body]).toEqual([second?.headers, second?.body ?? ""]);
    expect(buildRequest({ ...call, upstreamModel: "claude-another" })).not.toEqual(next);
    // Anthropic's own refusal of a beta is for the caller who chose it.
    const { cloud: _, ...own } = call.provider;
    const ownAsked = buildRequest({ ...call, provider: own });
    expect(askInstead?.({ ...call, provider: own }, ownAsked, 400, refusal)).toBeUndefined();
  },
);

test.each([
  ["vertex", "x: unexpected value 'Unexpected value(s) `a` for the `anthropic-beta` header'"],
  [
    "bedrock",
    "messages.0.content.0: Input tag 'invalid beta flag' found using 'type' is not expected",
  ],
  ["bedrock", 'The model returned the following errors: {"message":"tag `invalid beta flag`"}'],
] as const)("%s: a caller's own words in a refusal do not turn off betas: %s", (cloud, message) => {
  const call = agentsCall(cloud, `claude-of-${cloud}-quoted`);
  const asked = buildRequest(call);
  const refusal = JSON.stringify({ message });
  expect(anthropicDialect.retryAfterRefusal?.(call, asked, 400, refusal)).toBeUndefined();
  expect(buildRequest(call)).toEqual(asked);
});
