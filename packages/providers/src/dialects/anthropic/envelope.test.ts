// How clouds address Anthropic's models, and what the body has there instead of headers.
import { expect, test } from "bun:test";
import { messagesProtocol } from "@turnpike/wire";
import { ask } from "./ask.ts";
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
    const { path, headers, body } = ask(inCloud(call, "vertex", claude));
    expect(path).toBe(`/publishers/anthropic/models/${claude}:${method}`);
    expect(headers).toEqual({});
    expect(JSON.parse(body)).toMatchObject({ ...more, anthropic_version: "vertex-2023-10-16" });
    expect(Object.keys(JSON.parse(body)).sort()).toEqual(
      ["anthropic_version", "max_tokens", "messages", ...Object.keys(more)].sort(),
    );
  }
});

test("Vertex AI: allowed betas are sent as a header, and none in the body", () => {
  const { headers, body } = ask(inCloud(ownCallWithBetas({}), "vertex", claude));
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
    const { path, headers, body } = ask(inCloud(call, "bedrock", bedrockModel));
    expect(path).toBe(`/model/anthropic.claude-sonnet-4-20250514-v1%3A0/${method}`);
    expect(headers).toEqual(accept);
    expect(JSON.parse(body)).toMatchObject({ anthropic_version: "bedrock-2023-05-31" });
    expect(Object.keys(JSON.parse(body)).sort()).toEqual(
      ["anthropic_version", "max_tokens", "messages"].sort(),
    );
  }
});

test("Bedrock: allowed betas are sent in the body instead of the caller's own", () => {
  const allowed = ask(inCloud(ownCallWithBetas({}), "bedrock", bedrockModel));
  expect(JSON.parse(allowed.body).anthropic_beta).toEqual(["interleaved-thinking-2025-05-14"]);
  const without = ask(inCloud(ownCall({ anthropic_beta: ["x"] }), "bedrock", bedrockModel));
  expect(JSON.parse(without.body)).not.toHaveProperty("anthropic_beta");
});
