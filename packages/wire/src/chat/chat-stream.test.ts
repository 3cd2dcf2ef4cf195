// The chunks of a chat stream whose upstream speaks another language.
import { expect, test } from "bun:test";
import { isObject } from "@turnpike/base";
import { toNanos } from "@turnpike/terms";
import type { Bill } from "../protocol/pivot.ts";
import { chatProtocol } from "./chat-protocol.ts";
import { parseChatRequest } from "./parse-chat-request.ts";

const bill: Bill = {
  usage: {
    promptTokens: 5,
    completionTokens: 7,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
  },
  costNanos: toNanos(1_500n),
};

/** The `usage` of each chunk: undefined where it has none. */
function usagesOf(fields: object): readonly unknown[] {
  const messages = [{ role: "user", content: "hi" }];
  const request = parseChatRequest(
    JSON.stringify({ model: "m", messages, stream: true, ...fields }),
  );
  const writer = chatProtocol.stream?.open(request, { id: "chatcmpl-1", model: "m", created: 1 });
  const text = writer?.writeDeltas([
    { kind: "text", choice: 0, text: "Hello" },
    { kind: "finish", choice: 0, reason: "stop" },
  ]);
  const events = `${text}${writer?.writeEnd(bill)}`.split("\n\n").slice(0, -2);
  return events.map((event) => {
    const chunk: unknown = JSON.parse(event.replace(/^data: /, ""));
    return isObject(chunk) ? chunk.usage : chunk;
  });
}

test("every chunk but the last has an empty usage if the caller asks for one, as at OpenAI", () => {
  const asked = usagesOf({ stream_options: { include_usage: true } });
  expect(asked).toEqual([null, null, expect.objectContaining({ total_tokens: 12 })]);
  expect(usagesOf({})).toEqual([undefined, undefined]);
});

test("every chunk of text is the first one with another text, whatever the text and the model's name contain", () => {
  const model = 'm"content":""';
  const messages = [{ role: "user", content: "hi" }];
  for (const stream_options of [undefined, { include_usage: true }]) {
    const request = parseChatRequest(
      JSON.stringify({ model, messages, stream: true, stream_options }),
    );
    const writer = chatProtocol.stream?.open(request, { id: "chatcmpl-1", model, created: 1 });
    const texts = ["Hello", '"content":""', "\\\n\u2028😀", ""];
    const deltas = texts.flatMap((text) =>
      [0, 3].map((choice) => ({ kind: "text", choice, text }) as const),
    );
    const written = writer?.writeDeltas(deltas) ?? "";
    const chunks = written.split("\n\n").slice(0, -1);
    expect(chunks).toHaveLength(8);
    const usage = stream_options === undefined ? {} : { usage: null };
    expect(chunks.map((chunk) => JSON.parse(chunk.replace(/^data: /, "")))).toEqual(
      deltas.map(({ choice, text }, index) => ({
        id: "chatcmpl-1",
        object: "chat.completion.chunk",
        created: 1,
        model,
        choices: [
          {
            index: choice,
            delta: index < 2 ? { role: "assistant", content: text } : { content: text },
            logprobs: null,
            finish_reason: null,
          },
        ],
        ...usage,
      })),
    );
  }
});
