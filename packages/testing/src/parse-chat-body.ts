// What the scripted upstream needs to know about a chat request. It reads leniently on purpose: the
// gateway's strictness is what is under test, so nothing of the gateway's own parser is used here.

export type ChatBody = {
  model: string;
  stream: boolean;
  includeUsage: boolean;
  choices: number;
  maxTokens: number | undefined;
  lastUserText: string;
  /** The text of a tool's answer, when that is the last message. */
  toolResult: string | undefined;
  tools: readonly OfferedTool[];
  /** Whether it asks to be shown thinking, in the languages whose models show none unasked. */
  asksThinking?: boolean;
  promptTokens: number;
};

export type OfferedTool = { name: string; parameters: unknown };

type Fields = Readonly<Record<string, unknown>>;

/** Any value as an object to read from; anything else has no fields. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {};
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return itemsOf(content)
    .map((part) => String(fieldsOf(part).text ?? ""))
    .join("");
}

/** Reads a parsed request body. */
export function parseChatBody(parsed: unknown): ChatBody {
  const body = fieldsOf(parsed);
  const messages = itemsOf(body.messages).map(fieldsOf);
  const last = messages.at(-1);
  const lastUser = messages.findLast((message) => message.role === "user");
  return {
    model: String(body.model ?? ""),
    stream: body.stream === true,
    includeUsage: fieldsOf(body.stream_options).include_usage === true,
    choices: numberOf(body.n) ?? 1,
    maxTokens: numberOf(body.max_completion_tokens) ?? numberOf(body.max_tokens),
    lastUserText: textOf(lastUser?.content),
    toolResult: last?.role === "tool" ? textOf(last.content) : undefined,
    tools: itemsOf(body.tools).map((tool) => {
      const offered = fieldsOf(fieldsOf(tool).function);
      return { name: String(offered.name ?? "tool"), parameters: offered.parameters };
    }),
    promptTokens: countPromptTokens(parsed),
  };
}

const tokensPerMessage = 4;
const tokensPerImage = 85;

/** The prompt tokens the scripted upstream reports: a quarter of the text's bytes, rounded up. */
export function countPromptTokens(parsed: unknown): number {
  const body = fieldsOf(parsed);
  let tokens = 0;
  for (const message of itemsOf(body.messages).map(fieldsOf)) {
    tokens += tokensPerMessage + quarterOfBytes(textOf(message.content));
    if (message.tool_calls) tokens += quarterOfBytes(JSON.stringify(message.tool_calls));
    const parts = itemsOf(message.content).map(fieldsOf);
    tokens += tokensPerImage * parts.filter((part) => part.type === "image_url").length;
  }
  if (body.tools) tokens += quarterOfBytes(JSON.stringify(body.tools));
  return tokens;
}

function quarterOfBytes(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}
