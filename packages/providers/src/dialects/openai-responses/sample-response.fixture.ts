// A call of the dialect and the stream of an upstream, in the format OpenAI documents, with unknown
// members and events.
import { type ResponsesRequest, responsesProtocol } from "@turnpike/wire";
import { sampleProvider } from "../openai/sample-call.fixture.ts";
import type { ResponseCall } from "./build-responses-request.ts";

export type SampleOptions = {
  readonly like?: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** The body as text, if its exact bytes matter. */
  readonly raw?: string;
  readonly maxTokens?: number;
  readonly headers?: Record<string, string>;
};

export function sampleResponseCall(options: SampleOptions = {}): ResponseCall {
  const raw =
    options.raw ?? JSON.stringify({ model: "vendor/model", input: "Hello", ...options.body });
  const request: ResponsesRequest = responsesProtocol.parse(raw, new Headers(options.headers));
  return {
    provider: sampleProvider(options.like ?? "openai"),
    upstreamModel: "model-1",
    request,
    maxTokens: options.maxTokens,
    coveredTokens: 1_000,
    omittedFields: [],
    identity: { id: "resp_ours", model: "vendor/model", created: 1_700_000_000 },
  };
}

const shell = { id: "resp_theirs", object: "response", created_at: 1, model: "model-1" };
const message = {
  id: "msg_theirs",
  type: "message",
  status: "completed",
  role: "assistant",
  content: [{ type: "output_text", text: "Hello wörld", annotations: [], future: { a: 1 } }],
};
export const sampleUsage = {
  input_tokens: 9,
  input_tokens_details: { cached_tokens: 4, cache_write_tokens: 1 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 2 },
  total_tokens: 14,
};

export const sampleResponse = {
  ...shell,
  status: "completed",
  error: null,
  incomplete_details: null,
  output: [message],
  usage: sampleUsage,
  future: "kept",
};

const place = { item_id: "msg_theirs", output_index: 0 };
const started = { ...shell, status: "in_progress", output: [], usage: null };

export const sampleEvents: readonly Record<string, unknown>[] = [
  { type: "response.created", sequence_number: 0, response: started },
  { type: "response.in_progress", sequence_number: 1, response: started },
  {
    type: "response.output_item.added",
    sequence_number: 2,
    output_index: 0,
    item: { ...message, status: "in_progress", content: [] },
  },
  {
    type: "response.output_text.delta",
    sequence_number: 3,
    ...place,
    content_index: 0,
    delta: "Hello",
    logprobs: [],
    obfuscation: "x1",
  },
  {
    type: "response.output_text.delta",
    sequence_number: 4,
    ...place,
    content_index: 0,
    delta: " wörld",
    logprobs: [],
  },
  { type: "response.future_event", sequence_number: 5, anything: { at: "all" } },
  { type: "response.output_item.done", sequence_number: 6, output_index: 0, item: message },
  { type: "response.completed", sequence_number: 7, response: sampleResponse },
];

/** The bytes of an event stream as OpenAI sends it. */
export function namedSseBytes(events: readonly Record<string, unknown>[]): Uint8Array {
  const frames = events.map(
    (event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`,
  );
  return new TextEncoder().encode(frames.join(""));
}
