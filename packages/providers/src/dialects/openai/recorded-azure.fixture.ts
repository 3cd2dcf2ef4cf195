// Streams as Azure sends them: with the results of its content filter in a first chunk without choices, in
// every choice, and, if the filter runs in parallel with the model, in late chunks without a delta.
import type { TokenUsage } from "@turnpike/wire";
import type { RecordedAnswer } from "../recorded-answer.fixture.ts";
import type { ChatCall } from "./build-request.ts";
import { sampleCall } from "./sample-call.fixture.ts";

const safe = { filtered: false, severity: "safe" };
const results = { hate: safe, self_harm: safe, sexual: safe, violence: safe };

const promptResults = {
  choices: [],
  created: 0,
  id: "",
  model: "",
  object: "",
  prompt_filter_results: [{ prompt_index: 0, content_filter_results: results }],
};

function chunk(choice: object | undefined, more: object = {}): object {
  return {
    choices: choice === undefined ? [] : [{ index: 0, logprobs: null, ...choice }],
    created: 1_700_000_000,
    id: "chatcmpl-azure",
    model: "gpt-4o-mini-2024-07-18",
    object: "chat.completion.chunk",
    system_fingerprint: "fp_azure",
    ...more,
  };
}

const say = (content: string) =>
  chunk({ delta: { content }, content_filter_results: results, finish_reason: null });
const finish = (reason: string, content_filter_results: object = {}) =>
  chunk({ delta: {}, content_filter_results, finish_reason: reason });
/** From the filter that runs in parallel with the model: its position, and no delta. */
const offsets = (end_offset: number) => ({
  ...chunk({
    content_filter_results: results,
    content_filter_offsets: { check_offset: 44, start_offset: 44, end_offset },
    finish_reason: null,
  }),
  id: "",
});
const usage = chunk(undefined, {
  usage: {
    prompt_tokens: 25,
    completion_tokens: 15,
    total_tokens: 40,
    prompt_tokens_details: { cached_tokens: 5 },
  },
});
const usual: TokenUsage = {
  promptTokens: 25,
  cachedTokens: 5,
  cacheWriteTokens: 0,
  completionTokens: 15,
  reasoningTokens: 0,
};

const bodyOf = (...events: readonly object[]) =>
  `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")}data: [DONE]\n\n`;
const role = chunk({ delta: { role: "assistant", content: "" }, finish_reason: null });

const streams: readonly Omit<RecordedAnswer, "call">[] = [
  {
    name: "results of the content filter around the text",
    body: bodyOf(promptResults, role, say("Grüße, "), say("Welt"), finish("stop"), usage),
    says: { text: "Grüße, Welt", finishes: [["stop", "stop"]], usage: usual },
  },
  {
    name: "a filter in parallel with the model, with chunks that have no delta",
    body: bodyOf(
      promptResults,
      role,
      say("a"),
      offsets(1),
      say("b"),
      finish("stop"),
      offsets(2),
      usage,
    ),
    says: { text: "ab", finishes: [["stop", "stop"]], usage: usual },
  },
  {
    name: "an answer cut short by the content filter",
    body: bodyOf(
      promptResults,
      role,
      say("a"),
      finish("content_filter", { violence: { filtered: true, severity: "high" } }),
      usage,
    ),
    says: { text: "a", finishes: [["content_filter", "content_filter"]], usage: usual },
  },
];

/** A call of an Azure deployment; `fields` are of the request. */
export function azureCall(fields: Readonly<Record<string, unknown>>, language?: string): ChatCall {
  const call = sampleCall({ body: fields, ...(language !== undefined && { language }) });
  const azure = { form: "deployments", apiVersion: "2024-10-21" } as const;
  return { ...call, provider: { ...call.provider, id: "azure", azure } };
}

export const azureStreams: readonly RecordedAnswer[] = streams.map(({ name, body, says }) => ({
  name: `azure: ${name}`,
  call: azureCall({ stream: true }, "other"),
  body,
  says: { upstreamId: "chatcmpl-azure", ...says },
}));
