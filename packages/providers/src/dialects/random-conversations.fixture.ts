// Random conversations that callers may send, in each protocol: turns in any order, parallel calls with the ids and names
// of other providers, results in any order, thinking, images, and texts that say nothing.
import {
  type ChatRequest,
  messagesProtocol,
  parseChatRequest,
  responsesProtocol,
} from "@turnpike/wire";
import fc from "fast-check";
import { randomResponsesBody } from "./random-responses-body.fixture.ts";
import { bothSampled, repeated, text } from "./random-texts.fixture.ts";
import {
  closedSchema,
  toolNames as names,
  callsOfTurn as round,
  schemasOfTools,
} from "./random-tools.fixture.ts";

const png = "iVBORw0KGgo=";

// Chat completions.
const signed = [{ type: "reasoning.text", text: "Hm.", signature: "c2ln", index: 0 }];
const chatReasoning = fc.constantFrom(
  {},
  { reasoning: "Hm." },
  { reasoning_content: "Hm." },
  { reasoning_details: [{ type: "reasoning.text", text: "Hm.", index: 0 }] },
  { reasoning: "Hm.", reasoning_details: signed },
  {
    reasoning_details: [
      { type: "reasoning.text", text: "Hm.", signature: "d6b6e3c0-1111-4222-8333-aaaaaaaaaaaa" },
    ],
  },
);
/** What clients send back of an answer, of SDKs and of gateways, and on its calls. */
const sentBack = fc.constantFrom(
  {},
  {},
  { tool_calls: null, refusal: null, audio: null, function_call: null, annotations: [] },
  { provider_specific_fields: { a: 1 }, thinking_blocks: [{ type: "thinking", thinking: "Hm." }] },
  { citations: ["https://example.com"], parsed: { a: 1 }, name: "Ada" },
);
const sentBackCall = fc.constantFrom(
  {},
  { extra_content: { google: { thought_signature: "c2ln" } } },
  { index: 0, provider_specific_fields: { thought_signature: "c2ln" } },
);
const sentBackFunction = fc.constantFrom({}, {}, { parsed_arguments: { a: 1 } });
const image = { type: "image_url", image_url: { url: `data:image/png;base64,${png}` } };
const chatContent = fc.oneof(
  text,
  fc.array(
    fc.oneof(
      text.map((said) => ({ type: "text", text: said })),
      fc.constant(image),
    ),
    {
      maxLength: 3,
    },
  ),
);
const chatText = fc.oneof(
  text,
  fc.array(
    text.map((said) => ({ type: "text", text: said })),
    { maxLength: 2 },
  ),
);
const chatTurn = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(chatContent, fc.constantFrom({}, {}, { name: "Ada" }))
      .map(([content, named]) => [{ role: "user", content, ...named }]),
  },
  { weight: 1, arbitrary: chatText.map((content) => [{ role: "system", content }]) },
  { weight: 1, arbitrary: chatText.map((content) => [{ role: "developer", content }]) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(chatText, chatReasoning, sentBack)
      .map(([content, reasoning, back]) => [{ role: "assistant", content, ...reasoning, ...back }]),
  },
  { weight: 1, arbitrary: fc.constant([{ role: "assistant", content: null, refusal: "No." }]) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        round,
        fc.oneof(fc.constant(null), text),
        chatReasoning,
        chatContent,
        sentBack,
        sentBackCall,
        sentBackFunction,
      )
      .map(([{ calls, order }, content, reasoning, result, back, backCall, backFunction]) => [
        {
          role: "assistant",
          content,
          ...reasoning,
          ...back,
          tool_calls: calls.map((call) => ({
            id: call.id,
            type: "function",
            function: { name: call.name, arguments: '{"a":1}', ...backFunction },
            ...backCall,
          })),
        },
        ...order.map((tool_call_id) => ({ role: "tool", tool_call_id, content: result })),
      ]),
  },
);
const chatBody = fc
  .record({ messages: repeated<object>(chatTurn), sampled: bothSampled, schemas: schemasOfTools })
  .map((made) => ({
    model: "m",
    ...made.sampled,
    messages: made.messages,
    tools: names.map((name, at) => ({
      type: "function",
      function: { name, parameters: made.schemas[at] },
    })),
  }));

// Anthropic's messages.
const textBlock = text.map((said) => ({ type: "text", text: said }));
const imageBlock = {
  type: "image",
  source: { type: "base64", media_type: "image/png", data: png },
};
const thinkingBlock = fc.constantFrom(
  { type: "thinking", thinking: "Hm.", signature: "c2ln" },
  { type: "thinking", thinking: "Hm.", signature: "" },
  { type: "thinking", thinking: "Hm.", signature: "d6b6e3c0-1111-4222-8333-aaaaaaaaaaaa" },
  { type: "redacted_thinking", data: "gemini:c2ln" },
);
const userContent = fc.oneof(
  text,
  fc.array(fc.oneof(textBlock, fc.constant(imageBlock)), { maxLength: 3 }),
);
const saidBlocks = fc.tuple(
  fc.array(thinkingBlock, { maxLength: 1 }),
  fc.array(textBlock, { maxLength: 2 }),
);
const resultContent = fc.oneof(
  text,
  fc.array(fc.oneof(textBlock, fc.constant(imageBlock)), { maxLength: 2 }),
);
const messagesTurn = fc.oneof(
  { weight: 3, arbitrary: userContent.map((content) => [{ role: "user", content }]) },
  {
    weight: 3,
    arbitrary: fc.oneof(
      text.map((content) => [{ role: "assistant", content }]),
      saidBlocks.map((blocks) => [{ role: "assistant", content: blocks.flat() }]),
    ),
  },
  {
    weight: 5,
    arbitrary: fc
      .tuple(
        round,
        saidBlocks,
        resultContent,
        fc.array(textBlock, { maxLength: 2 }),
        fc.nat(3),
        fc.constantFrom({}, {}, { is_error: true }),
      )
      .map(([{ calls, order }, said, content, others, place, failed]) => {
        const results = order.map((tool_use_id) => ({
          type: "tool_result",
          tool_use_id,
          content,
          ...failed,
        }));
        const answer = { role: "user", content: [...results, ...others] };
        const answers: object[][] = [
          [answer],
          [{ role: "user", content: [...others, ...results] }],
          [answer, { role: "user", content: results.slice(0, 1) }],
          [
            ...(others.length > 0 ? [{ role: "user", content: others }] : []),
            { role: "user", content: results },
          ],
        ];
        const uses = calls.map((call) => ({ type: "tool_use", ...call, input: { a: 1 } }));
        return [
          { role: "assistant", content: [...said.flat(), ...uses] },
          ...(answers[place] ?? []),
        ];
      }),
  },
);
/** Something to answer, where the conversation does not end with the beginning of an answer. */
const asked = { role: "user", content: "Go on." };
const messagesBody = fc
  .record({
    turns: repeated<object>(messagesTurn),
    isPrefilled: fc.boolean(),
    system: fc.constantFrom(
      {},
      { system: "Be brief." },
      {
        system: [
          { type: "text", text: " " },
          { type: "text", text: "Be brief." },
        ],
      },
    ),
    format: fc.constantFrom(
      {},
      {},
      {
        output_config: {
          format: { type: "json_schema", schema: { ...closedSchema } },
        },
      },
    ),
    sampled: bothSampled,
    inputs: schemasOfTools,
  })
  .map(({ turns, isPrefilled, system, format, sampled, inputs }) => ({
    model: "m",
    max_tokens: 99,
    ...system,
    ...format,
    ...sampled,
    messages: isPrefilled ? turns : [...turns, asked],
    tools: names.map((name, at) => ({ name, input_schema: { type: "object", ...inputs[at] } })),
  }));

export type RandomRequest = {
  readonly protocol: "chat" | "messages" | "responses";
  readonly request: ChatRequest;
};

/** Throws the Fault of a request that is not valid, so that none is. */
export const randomRequest: fc.Arbitrary<RandomRequest> = fc.oneof(
  chatBody.map((body) => ({
    protocol: "chat" as const,
    request: parseChatRequest(JSON.stringify(body)),
  })),
  messagesBody.map((body) => ({
    protocol: "messages" as const,
    request: messagesProtocol.parse(JSON.stringify(body), new Headers()),
  })),
  randomResponsesBody.map((body) => ({
    protocol: "responses" as const,
    request: responsesProtocol.parse(JSON.stringify(body), new Headers()),
  })),
);
