// The chunks of a chat stream whose upstream speaks another language.
import { expect, test } from "bun:test";
import { isObject, toNanos } from "@turnpike/base";
import type { Bill } from "../pivot.ts";
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
