// The protocols as their clients see them: how the same question is asked, and how its answer, whole or
// streamed, is read. Written from the protocols' own references, not with our code.
import { asObject, at, type JsonObject } from "../harness/index.ts";

export type Question = {
  readonly text: string;
  readonly stream?: boolean;
  /** Names of functions that take a `city`. */
  readonly tools?: readonly string[];
  /** Base64 of a PNG. */
  readonly image?: string;
  /** The answer must have this one text member. */
  readonly schemaMember?: string;
  readonly reasoning?: boolean;
};

export type Reply = {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
  readonly reasoned: boolean;
  /** Whether the answer says that it is complete. */
  readonly complete: boolean;
  /** Whether it says that it failed. */
  readonly failed: boolean;
};

export type ClientProtocol = {
  readonly name: string;
  readonly path: string;
  /** Where a question is a part of the path. */
  readonly pathOf?: (model: string, stream: boolean) => string;
  /** Where a question is a part of the headers. */
  readonly headersOf?: (model: string, stream: boolean) => Readonly<Record<string, string>>;
  readonly ask: (model: string, question: Question) => JsonObject;
  readonly readWhole: (body: JsonObject) => Reply;
  readonly readStream: (text: string) => Reply;
  /** By feature that the protocol lacks, the field that the endpoint names in its refusal. */
  readonly refused?: Readonly<Record<string, string>>;
};

const parameters = { type: "object", properties: { city: { type: "string" } } };
const maxTokens = 2_000;

function schemaOf(member: string): JsonObject {
  return {
    type: "object",
    properties: { [member]: { type: "string" } },
    required: [member],
    additionalProperties: false,
  };
}

/** The JSON of every event, whatever its name; comments are skipped. */
export function parseEvents(streamed: string): {
  readonly events: JsonObject[];
  readonly done: boolean;
} {
  const data = [...streamed.matchAll(/^data: (.*)$/gm)].map(([, line = ""]) => line);
  const done = data.at(-1) === "[DONE]";
  return {
    events: (done ? data.slice(0, -1) : data).map((line) => asObject(JSON.parse(line))),
    done,
  };
}

export const listOf = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.map(asObject) : [];
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const parse = (text: unknown): unknown => JSON.parse(textOf(text) || "{}");

export const chat: ClientProtocol = {
  name: "chat completions",
  path: "/chat/completions",
  ask: (model, { text, stream, tools, image, schemaMember, reasoning }) => ({
    model,
    messages: [
      {
        role: "user",
        content:
          image === undefined
            ? text
            : [
                { type: "text", text },
                { type: "image_url", image_url: { url: `data:image/png;base64,${image}` } },
              ],
      },
    ],
    max_tokens: maxTokens,
    ...(stream && { stream }),
    ...(reasoning && { reasoning_effort: "low" }),
    ...(tools && {
      tools: tools.map((name) => ({ type: "function", function: { name, parameters } })),
    }),
    ...(schemaMember && {
      response_format: {
        type: "json_schema",
        json_schema: { name: "answer", strict: true, schema: schemaOf(schemaMember) },
      },
    }),
  }),
  readWhole(body) {
    const message = asObject(at(body, "choices.0.message"));
    return {
      text: textOf(message.content),
      calls: listOf(message.tool_calls).map((call) => ({
        name: textOf(at(call, "function.name")),
        arguments: parse(at(call, "function.arguments")),
      })),
      reasoned: textOf(message.reasoning) !== "",
      complete: textOf(at(body, "choices.0.finish_reason")) !== "",
      failed: false,
    };
  },
  readStream(streamed) {
    const { events, done } = parseEvents(streamed);
    const calls: { name: string; spelled: string }[] = [];
    let text = "";
    let reasoned = false;
    for (const event of events) {
      const delta = asObject(at(event, "choices.0.delta") ?? {});
      text += textOf(delta.content);
      reasoned ||= textOf(delta.reasoning) !== "";
      for (const part of listOf(delta.tool_calls)) {
        const index = Number(part.index);
        calls[index] ??= { name: "", spelled: "" };
        calls[index].name += textOf(at(part, "function.name"));
        calls[index].spelled += textOf(at(part, "function.arguments"));
      }
    }
    return {
      text,
      calls: calls.map(({ name, spelled }) => ({ name, arguments: parse(spelled) })),
      reasoned,
      complete: done && events.some((event) => at(event, "choices.0.finish_reason") !== null),
      failed: events.some((event) => "error" in event),
    };
  },
};

export const responses: ClientProtocol = {
  name: "responses",
  path: "/responses",
  ask: (model, { text, stream, tools, image, schemaMember, reasoning }) => ({
    model,
    input: [
      {
        role: "user",
        content: [
          { type: "input_text", text },
          ...(image === undefined
            ? []
            : [
                {
                  type: "input_image",
                  image_url: `data:image/png;base64,${image}`,
                  detail: "auto",
                },
              ]),
        ],
      },
    ],
    max_output_tokens: maxTokens,
    store: false,
    ...(stream && { stream }),
    ...(reasoning && { reasoning: { effort: "low", summary: "auto" } }),
    ...(tools && {
      tools: tools.map((name) => ({ type: "function", name, parameters, strict: false })),
    }),
    ...(schemaMember && {
      text: {
        format: {
          type: "json_schema",
          name: "answer",
          strict: true,
          schema: schemaOf(schemaMember),
        },
      },
    }),
  }),
  readWhole(body) {
    const items = listOf(body.output);
    const content = items.flatMap((item) => (item.type === "message" ? listOf(item.content) : []));
    return {
      text: content.map((part) => textOf(part.text)).join(""),
      calls: items
        .filter(({ type }) => type === "function_call")
        .map((item) => ({ name: textOf(item.name), arguments: parse(item.arguments) })),
      reasoned: items.some(({ type }) => type === "reasoning"),
      complete: body.status === "completed",
      failed: body.status === "failed",
    };
  },
  readStream(streamed) {
    const { events } = parseEvents(streamed);
    const last = asObject(events.at(-1) ?? {});
    const failed = last.type === "response.failed" || last.type === "error";
    const deltas = events.filter(({ type }) => type === "response.output_text.delta");
    const text = deltas.map(({ delta }) => textOf(delta)).join("");
    if (failed) return { text, calls: [], reasoned: false, complete: false, failed };
    const whole = responses.readWhole(asObject(last.response ?? {}));
    if (whole.text !== text) throw new Error("the deltas are not the text of the response");
    return whole;
  },
};

export const messages: ClientProtocol = {
  name: "messages",
  path: "/messages",
  ask: (model, { text, stream, tools, image, schemaMember, reasoning }) => ({
    model,
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text },
          ...(image === undefined
            ? []
            : [
                {
                  type: "image",
                  source: { type: "base64", media_type: "image/png", data: image },
                },
              ]),
        ],
      },
    ],
    max_tokens: maxTokens,
    ...(stream && { stream }),
    ...(reasoning && { thinking: { type: "enabled", budget_tokens: 1_024 } }),
    ...(tools && { tools: tools.map((name) => ({ name, input_schema: parameters })) }),
    ...(schemaMember && {
      output_config: { format: { type: "json_schema", schema: schemaOf(schemaMember) } },
    }),
  }),
  readWhole(body) {
    const blocks = listOf(body.content);
    return {
      text: blocks.map((block) => (block.type === "text" ? textOf(block.text) : "")).join(""),
      calls: blocks
        .filter(({ type }) => type === "tool_use")
        .map((block) => ({ name: textOf(block.name), arguments: block.input })),
      reasoned: blocks.some(({ type }) => type === "thinking"),
      complete: textOf(body.stop_reason) !== "",
      failed: false,
    };
  },
  readStream(streamed) {
    const { events } = parseEvents(streamed);
    const blocks: { type: unknown; name: string; text: string; spelled: string }[] = [];
    for (const event of events) {
      const index = Number(event.index);
      if (event.type === "content_block_start") {
        const { type, name } = asObject(event.content_block);
        blocks[index] = { type, name: textOf(name), text: "", spelled: "" };
      }
      const block = blocks[index];
      if (event.type !== "content_block_delta" || block === undefined) continue;
      block.text += textOf(at(event, "delta.text"));
      block.spelled += textOf(at(event, "delta.partial_json"));
    }
    return {
      text: blocks.map(({ type, text }) => (type === "text" ? text : "")).join(""),
      calls: blocks
        .filter(({ type }) => type === "tool_use")
        .map(({ name, spelled }) => ({ name, arguments: parse(spelled) })),
      reasoned: blocks.some(({ type }) => type === "thinking"),
      complete: events.at(-1)?.type === "message_stop",
      failed: events.some(({ type }) => type === "error"),
    };
  },
};
