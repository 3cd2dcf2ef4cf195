// What services compatible with OpenAI check of a chat completion before they answer it, written from their own messages and
// validators and not from the dialects: each check returns what is wrong with a body, in the provider's words.
import { checkRoot, type Json, listOf, memberOf } from "./hosted-schemas.fixture.ts";

/** Members of messages, by role. A service with such a list refuses any other, here or in a part or a call. */
type Members = Readonly<Record<string, readonly string[]>>;

const openaisMembers: Members = {
  system: ["content", "name"],
  developer: ["content", "name"],
  user: ["content", "name"],
  assistant: ["content", "name", "tool_calls", "function_call", "refusal", "audio", "annotations"],
  tool: ["content", "name", "tool_call_id"],
};

export const knownMembers = {
  openai: openaisMembers,
  groq: { ...openaisMembers, assistant: ["content", "name", "tool_calls", "function_call"] },
  mistral: {
    system: ["content"],
    user: ["content"],
    tool: ["content", "name", "tool_call_id"],
    assistant: ["content", "tool_calls", "prefix"],
  },
} as const satisfies Readonly<Record<string, Members>>;

function checkMembers(message: Json, members: Members): string[] {
  const known: readonly string[] = ["role", ...(members[String(message.role)] ?? [])];
  const wrong = Object.keys(message).filter((name) => !known.includes(name));
  const parts = listOf(message.content);
  for (const part of parts) {
    const { type, ...rest } = part;
    wrong.push(...Object.keys(rest).filter((name) => name !== type));
    if (message.role === "tool" && type !== "text") wrong.push(`${type} in the result of a tool`);
  }
  const calls = listOf(message.tool_calls);
  if ("tool_calls" in message && calls.length === 0) wrong.push("tool_calls: empty");
  for (const call of calls) {
    const { id, type, ...rest } = call;
    wrong.push(...Object.keys(rest).filter((name) => name !== type));
    for (const name in memberOf(call, "function"))
      if (name !== "name" && name !== "arguments") wrong.push(name);
  }
  return wrong.map((name) => `property '${name}' is unsupported`);
}

type ChatRules = {
  readonly members?: Members;
  readonly names: RegExp;
  readonly idMaxChars?: number;
  readonly objects?: boolean;
  /** What is wrong with the schema of a tool besides. */
  readonly schemas?: (schema: unknown) => string[];
  readonly reasoning?: boolean;
  readonly mistral?: boolean;
};

/** OpenAI and services compatible with it. */
export function checkChat(body: Json, rules: ChatRules): string[] {
  const wrong: string[] = [];
  for (const tool of listOf(body.tools)) {
    const { name, parameters } = memberOf(tool, "function");
    if (!rules.names.test(String(name))) wrong.push(`function name is invalid: ${name}`);
    if (rules.objects === true) wrong.push(...checkRoot(parameters));
    if (rules.schemas !== undefined) wrong.push(...rules.schemas(parameters));
    if (rules.mistral === true && parameters === undefined) wrong.push("parameters: required");
  }
  const messages = listOf(body.messages);
  const { members } = rules;
  if (members !== undefined)
    wrong.push(...messages.flatMap((message) => checkMembers(message, members)));
  let open = new Set<unknown>();
  messages.forEach((message, index) => {
    if (message.role === "tool") {
      if (!open.delete(message.tool_call_id)) {
        wrong.push(`messages.${index}: tool must follow a call with its id, once`);
      }
      return;
    }
    if (open.size > 0) wrong.push(`messages.${index}: calls without results`);
    open = new Set();
    for (const call of listOf(message.tool_calls)) {
      const id = String(call.id);
      const { name } = memberOf(call, "function");
      if (!rules.names.test(String(name))) wrong.push(`messages.${index}: name ${name}`);
      if (rules.idMaxChars !== undefined && id.length > rules.idMaxChars) {
        wrong.push(`messages.${index}: id too long`);
      }
      if (rules.mistral === true && !/^[a-zA-Z0-9]{9}$/.test(id))
        wrong.push(`Tool call id was ${id}`);
      if (open.has(id)) wrong.push(`Duplicate tool call id ${id}`);
      open.add(id);
    }
    const isCalling = open.size > 0;
    if (
      rules.reasoning === true &&
      isCalling &&
      String(message.reasoning_content ?? "").trim() === ""
    ) {
      wrong.push(`reasoning_content is missing in assistant tool call message at index ${index}`);
    }
  });
  if (open.size > 0) wrong.push("calls without results at the end");
  return rules.mistral === true ? [...wrong, ...checkMistralOrder(messages)] : wrong;
}

/** After `mistral_common/protocol/instruct/validator.py`, in serving mode. */
function checkMistralOrder(messages: readonly Json[]): string[] {
  const wrong: string[] = [];
  const allowed: Readonly<Record<string, readonly unknown[]>> = {
    system: ["user", "assistant", "system"],
    user: ["assistant", "system", "user"],
    assistant: ["assistant", "user", "tool"],
    tool: ["assistant", "tool"],
  };
  messages.forEach((message, index) => {
    const before = messages[index - 1];
    if (before !== undefined && allowed[String(before.role)]?.includes(message.role) !== true) {
      wrong.push(`Unexpected role '${message.role}' after role '${before.role}'`);
    }
    if (message.role !== "assistant") return;
    const isSilent =
      (message.content ?? "") === "" ||
      (Array.isArray(message.content) && message.content.length === 0);
    if (isSilent && listOf(message.tool_calls).length === 0) {
      wrong.push("Assistant message must have either content or tool_calls");
    }
    if (message.prefix === true && index < messages.length - 1) wrong.push("prefix must be last");
  });
  const last = messages.at(-1);
  const isOpen = last?.role === "user" || last?.role === "tool" || last?.prefix === true;
  if (!isOpen && messages.length > 1)
    wrong.push(`Expected last role User or Tool but got ${last?.role}`);
  if (messages.length === 0) wrong.push("Conversation must have at least one message");
  if (messages.length === 1 && last?.role !== "user" && last?.role !== "system") {
    wrong.push("Conversation must start with a user message or system message");
  }
  return wrong;
}
