// Answers with more keys and deeper nesting than a caller may send: they are paid for, so they are passed on,
// with every digit, whatever their size.
import { describe, expect, test } from "bun:test";
import { zeroNanos } from "@turnpike/terms";
import { type Bill, messagesProtocol } from "@turnpike/wire";
import { MessageStream } from "./anthropic/message-stream.ts";
import { parseMessage } from "./anthropic/parse-message.ts";
import { ownCall } from "./anthropic/sample-messages-call.fixture.ts";
import { OwnEvents } from "./openai-responses/own-events.ts";
import { ResponseEventStream } from "./openai-responses/response-event-stream.ts";
import {
  namedSseBytes,
  sampleEvents,
  sampleResponseCall,
} from "./openai-responses/sample-response.fixture.ts";

const request = messagesProtocol.parse(ownCall({ stream: true }).request.raw, new Headers());
const call = { ...ownCall(), request };

const wide = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`k${index}`, index]));
const deep = Array.from({ length: 70 }).reduce<object>((inner) => ({ inner }), {});
const bill: Bill = {
  usage: {
    promptTokens: 1,
    completionTokens: 1,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
  },
  costNanos: zeroNanos,
};

describe.each([
  ["wide", wide],
  ["deep", deep],
])("an answer that is %s", (_, input) => {
  const inputJson = `{"big":12345678901234567890,"inner":${JSON.stringify(input)}}`;

  test("is a message with our id and bill", () => {
    const block = `{"type":"tool_use","id":"t1","name":"f","input":${inputJson}}`;
    const ended = `"stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":1}`;
    const text = `{"id":"theirs","type":"message","role":"assistant","content":[${block}],${ended}}`;
    const { content } = parseMessage(call, text, new Headers());
    const whole = messagesProtocol.writeWhole(content, call.identity, bill, request);
    expect(whole).toContain(inputJson);
    expect(JSON.parse(whole)).toMatchObject({ id: "msg_ours", usage: { output_tokens: 1 } });
  });

  test("is a stream with our id and bill", () => {
    const stream = new MessageStream(call, { maxEventBytes: 2 ** 20, headers: new Headers() });
    const message = { id: "theirs", type: "message", role: "assistant", content: [], odd: input };
    const delta = { stop_reason: "end_turn", odd: input };
    const writer = messagesProtocol.stream?.open(request, call.identity);
    let text = "";
    const events = stream.push(
      namedSseBytes([
        { type: "message_start", message },
        { type: "message_delta", delta, usage: { output_tokens: 1 } },
        { type: "message_stop" },
      ]),
    );
    for (const event of events) {
      if (event.kind === "chunk") text += writer?.writeOwn(event.json, event.name);
    }
    text += writer?.writeEnd(bill);
    expect(stream.fault).toBeUndefined();
    expect(text).toContain('"id":"msg_ours"');
    expect(text).toContain('"cost":0');
    expect(text).toEndWith('event: message_stop\ndata: {"type":"message_stop"}\n\n');
  });

  test("is a response whose events are numbered again", () => {
    const call = sampleResponseCall({ body: { stream: true } });
    const headers = new Headers();
    const options = { maxEventBytes: 2 ** 20, headers };
    const stream = new ResponseEventStream(call, new OwnEvents(call), options);
    const events = sampleEvents.map((event) => ({ ...event, sequence_number: 7, odd: input }));
    const numbers = stream
      .push(namedSseBytes(events))
      .flatMap((event) => (event.kind === "chunk" ? JSON.parse(event.json).sequence_number : []));
    expect(stream.fault).toBeUndefined();
    expect(numbers).toEqual(sampleEvents.map((_event, index) => index));
  });
});
