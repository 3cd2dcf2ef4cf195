// Parts of recorded responses: what OpenAI's API writes, and a call to an upstream that has only
// `/responses`.
import type { TokenUsage } from "@turnpike/wire";
import { sampleCall, sampleProvider } from "../openai/sample-call.fixture.ts";

export type Fields = Record<string, unknown>;

const shell = { id: "resp_theirs", object: "response", created_at: 1, model: "model-1" };
export const reported = {
  input_tokens: 25,
  input_tokens_details: { cached_tokens: 5 },
  output_tokens: 15,
  output_tokens_details: { reasoning_tokens: 3 },
  total_tokens: 40,
};
export const usage: TokenUsage = {
  promptTokens: 25,
  cachedTokens: 5,
  cacheWriteTokens: 0,
  completionTokens: 15,
  reasoningTokens: 3,
};
export const upstreamId = "resp_theirs";

export const response = (status: string, more: Fields = {}) => ({ ...shell, status, ...more });
export const textItem = (text: string): Fields => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text, annotations: [] }],
});
export const reasoningItem: Fields = {
  id: "rs_1",
  type: "reasoning",
  summary: [{ type: "summary_text", text: "Let me see." }],
  encrypted_content: "sealed",
};
/** What reasoning, a text and the calls `c1` and `c2` say, but for the reasoning itself. */
export const saysBothCalls = {
  signatures: ["openai:0:sealed"],
  text: "Okay.",
  calls: [
    { id: "c1", name: "a", arguments: '{"x":1}' },
    { id: "c2", name: "b", arguments: "{}" },
  ],
  finishes: [["tool_calls", "completed"]] as [string, string][],
  usage,
};
export const callItem = (id: string, name: string, spelled: string): Fields => ({
  id: `fc_${id}`,
  type: "function_call",
  call_id: id,
  name,
  arguments: spelled,
});
const custom = { type: "custom", custom: { name: "patch" } };

export const sample = (stream: boolean) => {
  const call = sampleCall({ body: { stream, tools: [custom] } });
  const provider = sampleProvider("openai");
  return {
    ...call,
    provider: { ...provider, quirks: { ...provider.quirks, responses: "only" } },
  } as const;
};
