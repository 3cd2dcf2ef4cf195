// The stream of the fixed upstream in each language: the same text, in as many deltas, with the same usage.

export type FixedStream = { readonly deltas: number; readonly promptTokens: number };

/** By the path it is served at; each entry is one network write if the stream is paced. */
export const fixedStreams: Readonly<Record<string, (stream: FixedStream) => readonly string[]>> = {
  "/v1/chat/completions": chatEvents,
  "/v1/messages": messagesEvents,
  "/v1beta/models/fixed:streamGenerateContent": geminiEvents,
  "/v1/responses": responsesEvents,
};

export const fixedIdentity = { id: "chatcmpl-fixed", created: 1_700_000_000, model: "fixed" };
const token = " tok";

function repeat<Value>(count: number, value: (index: number) => Value): Value[] {
  return Array.from({ length: count }, (_, index) => value(index));
}

export function chatUsage({ promptTokens, deltas }: FixedStream) {
  const total_tokens = promptTokens + deltas;
  return { prompt_tokens: promptTokens, completion_tokens: deltas, total_tokens };
}

function chatEvents(stream: FixedStream): readonly string[] {
  const object = "chat.completion.chunk";
  const event = (choices: readonly unknown[], usage: unknown) =>
    `data: ${JSON.stringify({ ...fixedIdentity, object, choices, usage })}\n\n`;
  const choice = (delta: unknown, finish: string | null) => [
    { index: 0, delta, logprobs: null, finish_reason: finish },
  ];
  return [
    event(choice({ role: "assistant", content: "" }, null), null),
    ...repeat(stream.deltas, () => event(choice({ content: token }, null), null)),
    event(choice({}, "stop"), null),
    `${event([], chatUsage(stream))}data: [DONE]\n\n`,
  ];
}

type NamedEvent = { readonly type: string; readonly [name: string]: unknown };

const named = (event: NamedEvent) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

function messagesEvents({ deltas, promptTokens }: FixedStream): readonly string[] {
  const usage = { input_tokens: promptTokens, output_tokens: 1 };
  const head = { id: "msg_fixed", type: "message", role: "assistant", model: "fixed", content: [] };
  const message = { ...head, stop_reason: null, stop_sequence: null, usage };
  const delta = { type: "text_delta", text: token };
  return [
    named({ type: "message_start", message }) +
      named({
        type: "content_block_start",
        index: 0,
        content_block: { type: "text", text: "" },
      }),
    ...repeat(deltas, () => named({ type: "content_block_delta", index: 0, delta })),
    named({ type: "content_block_stop", index: 0 }) +
      named({
        type: "message_delta",
        delta: { stop_reason: "end_turn", stop_sequence: null },
        usage: { output_tokens: deltas },
      }),
    named({ type: "message_stop" }),
  ];
}

function geminiEvents({ deltas, promptTokens }: FixedStream): readonly string[] {
  const event = (text: string, more: object, count: number) => {
    const content = { role: "model", parts: [{ text }] };
    const usageMetadata = {
      promptTokenCount: promptTokens,
      candidatesTokenCount: count,
      totalTokenCount: promptTokens + count,
    };
    const candidates = [{ content, index: 0, ...more }];
    const body = { candidates, usageMetadata, modelVersion: "fixed", responseId: "fixed" };
    return `data: ${JSON.stringify(body)}\n\n`;
  };
  return [
    ...repeat(deltas, (index) => event(token, {}, index + 1)),
    event("", { finishReason: "STOP" }, deltas),
  ];
}

function responsesEvents({ deltas, promptTokens }: FixedStream): readonly string[] {
  let sequence = 0;
  const event = ({ type, ...rest }: NamedEvent) =>
    named({ type, sequence_number: sequence++, ...rest });
  const head = { id: "resp_fixed", object: "response", created_at: 1, model: "fixed" };
  const begun = { ...head, status: "in_progress", output: [], usage: null };
  const place = { item_id: "msg_fixed", output_index: 0, content_index: 0 };
  const part = (text: string) => ({ type: "output_text", text, annotations: [], logprobs: [] });
  const text = token.repeat(deltas);
  const item = { id: "msg_fixed", type: "message", role: "assistant" };
  const added = { ...item, status: "in_progress", content: [] };
  const done = { ...item, status: "completed", content: [part(text)] };
  const usage = {
    input_tokens: promptTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: deltas,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: promptTokens + deltas,
  };
  return [
    event({ type: "response.created", response: begun }) +
      event({ type: "response.in_progress", response: begun }) +
      event({ type: "response.output_item.added", output_index: 0, item: added }) +
      event({ type: "response.content_part.added", ...place, part: part("") }),
    ...repeat(deltas, () =>
      event({ type: "response.output_text.delta", ...place, delta: token, logprobs: [] }),
    ),
    event({ type: "response.output_text.done", ...place, text, logprobs: [] }) +
      event({ type: "response.content_part.done", ...place, part: part(text) }) +
      event({ type: "response.output_item.done", output_index: 0, item: done }),
    event({
      type: "response.completed",
      response: { ...head, status: "completed", output: [done], usage },
    }),
  ];
}
