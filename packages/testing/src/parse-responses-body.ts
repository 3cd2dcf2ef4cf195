// What the scripted upstream needs to know about a request for a response. Like OpenAI's own, it refuses
// every unknown field and item.
import { type ChatBody, fieldsOf } from "./parse-chat-body.ts";
import { ScriptError } from "./parse-script.ts";

type Fields = Readonly<Record<string, unknown>>;

const itemsOf = (value: unknown) => (Array.isArray(value) ? value.map(fieldsOf) : []);

const bodyFields = new Set([
  "model",
  "input",
  "instructions",
  "max_output_tokens",
  "stream",
  "stream_options",
  "store",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "text",
  "reasoning",
  "include",
  "metadata",
  "temperature",
  "top_p",
  "top_logprobs",
  "user",
  "safety_identifier",
  "service_tier",
  "prompt_cache_key",
  "prompt_cache_retention",
  "prompt_cache_options",
  "truncation",
]);

type Members = { readonly required: readonly string[]; readonly optional: readonly string[] };

/** By type, the members an item must and may have. Source: the types of `openai` 7.57.0. */
const itemMembers: Readonly<Record<string, Members>> = {
  message: { required: ["role", "content"], optional: ["id", "status", "phase"] },
  function_call: {
    required: ["call_id", "name", "arguments"],
    optional: ["id", "status", "namespace", "caller", "async"],
  },
  function_call_output: {
    required: ["call_id", "output"],
    optional: ["id", "status", "name", "namespace", "caller"],
  },
  custom_tool_call: {
    required: ["call_id", "name", "input"],
    optional: ["id", "status", "namespace", "caller"],
  },
  custom_tool_call_output: {
    required: ["call_id", "output"],
    optional: ["id", "status", "caller"],
  },
  reasoning: { required: ["summary", "encrypted_content"], optional: ["id", "content"] },
  additional_tools: { required: ["role", "tools"], optional: ["id"] },
};
const partTypes = [
  "input_text",
  "output_text",
  "refusal",
  "input_image",
  "input_file",
  "input_audio",
];

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return itemsOf(content)
    .map(({ text }) => String(text ?? ""))
    .join("");
}

/** An item with a role and without a type is a message. */
const typeOf = ({ type, role }: Fields) => type ?? (role === undefined ? undefined : "message");

/** Reads a parsed request body. Streams always report usage. */
export function parseResponsesBody(parsed: unknown): ChatBody {
  const body = fieldsOf(parsed);
  const unknown = Object.keys(body).find((name) => !bodyFields.has(name));
  if (unknown !== undefined) throw new ScriptError(`Unknown parameter: '${unknown}'.`);
  const items =
    typeof body.input === "string" ? [{ role: "user", content: body.input }] : itemsOf(body.input);
  for (const item of items) checkItem(item);
  const users = items.filter((item) => item.role === "user" && textOf(item.content) !== "");
  const last = items.at(-1);
  const isResult = String(last?.type).endsWith("_output");
  return {
    model: String(body.model ?? ""),
    stream: body.stream === true,
    includeUsage: true,
    choices: 1,
    asksThinking: String(fieldsOf(body.reasoning).effort ?? "none") !== "none",
    maxTokens: typeof body.max_output_tokens === "number" ? body.max_output_tokens : undefined,
    lastUserText: textOf(users.at(-1)?.content),
    toolResult: isResult ? textOf(last?.output) : undefined,
    tools: itemsOf(body.tools).map((tool) => {
      if (typeof tool.name !== "string") throw new ScriptError("a tool has no name");
      return { name: tool.name, parameters: tool.parameters };
    }),
    promptTokens: countTokens(items, body),
  };
}

function checkItem(item: Fields): void {
  const type = typeOf(item);
  const members = typeof type === "string" ? itemMembers[type] : undefined;
  if (members === undefined) throw new ScriptError(`Invalid value: '${String(type)}'.`);
  const missing = members.required.find((name) => item[name] === undefined);
  if (missing !== undefined) throw new ScriptError(`Missing required parameter: '${missing}'.`);
  const known = ["type", ...members.required, ...members.optional];
  const unknown = Object.keys(item).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new ScriptError(`Unknown parameter: 'input.${unknown}'.`);
  for (const content of [item.content, item.output]) {
    const part = itemsOf(content).find((each) => !partTypes.includes(String(each.type)));
    if (part !== undefined) throw new ScriptError(`Invalid value: '${String(part.type)}'.`);
  }
}

const tokensPerItem = 4;
const tokensPerImage = 85;
const quarterOfBytes = (text: string) => Math.ceil(Buffer.byteLength(text) / 4);

/** A quarter of the text's bytes, rounded up, as for the other formats. */
function countTokens(items: readonly Fields[], { instructions, tools }: Fields): number {
  let tokens = quarterOfBytes(textOf(instructions));
  for (const { content, output, arguments: spelled } of items) {
    tokens += tokensPerItem;
    tokens += quarterOfBytes(textOf(content) + textOf(output) + String(spelled ?? ""));
    const images = itemsOf(content).filter(({ type }) => type === "input_image");
    tokens += tokensPerImage * images.length;
  }
  return tools === undefined ? tokens : tokens + quarterOfBytes(JSON.stringify(tools));
}
