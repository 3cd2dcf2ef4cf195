// What hosted providers check of a conversation before they answer it, written from their own messages and validators
// and not from the dialects: each check returns what is wrong with a body, in the provider's words.
import {
  checkOpenaisSchema,
  checkRoot,
  isObject,
  type Json,
  listOf,
  memberOf,
} from "./hosted-schemas.fixture.ts";

export type ClaudeRules = { readonly prefill: boolean; readonly both: boolean };

/** Anthropic's API, and Claude in clouds. */
export function checkClaude(body: Json, rules: ClaudeRules): string[] {
  const wrong: string[] = [];
  for (const { name, input_schema: schema } of listOf(body.tools)) {
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(String(name))) wrong.push(`tools.custom.name: ${name}`);
    wrong.push(...checkRoot(schema));
  }
  if (!rules.both && body.temperature !== undefined && body.top_p !== undefined) {
    wrong.push("`temperature` and `top_p` cannot both be specified for this model");
  }
  wrong.push(...checkTexts(listOf(body.system), "system"));
  const turns = joinTurns(listOf(body.messages), wrong);
  if (turns[0]?.role !== "user") wrong.push('first message must use the "user" role');
  wrong.push(...checkUses(turns));
  for (const { role, blocks } of turns) {
    const isThought = String(blocks.at(-1)?.type).endsWith("thinking");
    if (role === "assistant" && isThought) wrong.push("final block cannot be `thinking`");
  }
  const last = turns.at(-1);
  if (last?.role !== "assistant") return wrong;
  const isBound = isObject(memberOf(body, "output_config").format) || isObject(body.output_format);
  if (!rules.prefill || isBound) wrong.push("This does not support assistant message prefill");
  const end = last.blocks.at(-1);
  if (end?.type === "text" && /\s$/.test(String(end.text))) wrong.push("trailing whitespace");
  return wrong;
}

type Turn = { readonly role: unknown; readonly blocks: Json[] };

/** Consecutive messages of one role are one turn. */
function joinTurns(messages: readonly Json[], wrong: string[]): readonly Turn[] {
  const turns: Turn[] = [];
  messages.forEach(({ role, content }, index) => {
    const blocks =
      typeof content === "string" ? [{ type: "text", text: content }] : listOf(content);
    if (blocks.length === 0) wrong.push(`messages.${index}: must have non-empty content`);
    wrong.push(...checkTexts(blocks, `messages.${index}`));
    const last = turns.at(-1);
    if (last?.role === role) last?.blocks.push(...blocks);
    else turns.push({ role, blocks: [...blocks] });
  });
  return turns;
}

function checkTexts(blocks: readonly Json[], path: string): string[] {
  return blocks.flatMap((block) => {
    if (block.type === "text" && String(block.text).trim() === "") {
      return [`${path}: text content blocks must contain non-whitespace text`];
    }
    const signature = String(block.signature ?? "");
    if (block.type === "thinking" && (signature === "" || /^[0-9a-f-]+$/.test(signature))) {
      return [`${path}: Invalid signature in thinking block`];
    }
    if (block.type === "redacted_thinking" && String(block.data).startsWith("gemini:")) {
      return [`${path}: Invalid data in redacted_thinking block`];
    }
    if (block.type !== "tool_result") return [];
    const isEmpty =
      typeof block.content === "string"
        ? block.content.trim() === ""
        : listOf(block.content).length === 0;
    if (block.is_error === true && isEmpty)
      return [`${path}: content cannot be empty if is_error is true`];
    if (block.is_error === true && listOf(block.content).some(({ type }) => type !== "text"))
      return [`${path}: all content must be type "text" if is_error is true`];
    return checkTexts(listOf(block.content), path);
  });
}

function checkUses(turns: readonly Turn[]): string[] {
  const wrong: string[] = [];
  const all = new Set<unknown>();
  turns.forEach(({ blocks }, index) => {
    const uses = blocks.filter(({ type }) => type === "tool_use");
    for (const { id, name } of uses) {
      if (!/^[a-zA-Z0-9_-]+$/.test(String(id))) wrong.push(`tool_use.id: ${id}`);
      if (!/^[a-zA-Z0-9_-]{1,128}$/.test(String(name))) wrong.push(`tool_use.name: ${name}`);
      if (all.has(id)) wrong.push("`tool_use` ids must be unique");
      all.add(id);
    }
    const results = blocks.filter(({ type }) => type === "tool_result");
    const before = turns[index - 1]?.blocks.filter(({ type }) => type === "tool_use") ?? [];
    const answered = results.map(({ tool_use_id: id }) => id);
    if (
      JSON.stringify([...answered].sort()) !== JSON.stringify(before.map(({ id }) => id).sort())
    ) {
      wrong.push(`turn ${index}: each tool_use must have a single result in the next message`);
    }
    if (blocks.slice(0, results.length).some(({ type }) => type !== "tool_result")) {
      wrong.push(`turn ${index}: tool results must come first`);
    }
    if (uses.length > 0 && index === turns.length - 1) wrong.push("tool_use without tool_result");
  });
  return wrong;
}

/** Gemini's API, and Vertex AI, which takes no ids. */
export function checkGemini(
  body: Json,
  rules: { readonly vertex: boolean; readonly signs: boolean },
): string[] {
  const wrong: string[] = [];
  const name = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;
  const declared = listOf(body.tools).flatMap((tool) => listOf(tool.functionDeclarations));
  for (const each of declared) {
    if (!name.test(String(each.name))) wrong.push("Invalid function name");
    wrong.push(...checkRoot(each.parametersJsonSchema));
  }
  if (new Set(declared.map((each) => each.name)).size < declared.length)
    wrong.push("Duplicate name");
  const turns = listOf(body.contents);
  if (turns[0]?.role !== "user" || turns.at(-1)?.role !== "user") {
    wrong.push("conversation must begin and end with the user");
  }
  turns.forEach((turn, index) => {
    if (turn.role === turns[index - 1]?.role)
      wrong.push("turns must alternate between user and model");
    const parts = listOf(turn.parts);
    if (parts.length === 0) wrong.push("contents.parts must not be empty");
    for (const part of parts) {
      const data = ["text", "inlineData", "fileData", "functionCall", "functionResponse"].filter(
        (kind) => part[kind] !== undefined,
      );
      if (data.length !== 1)
        wrong.push("required oneof field 'data' must have one initialized field");
      if (part.text === "" && part.thoughtSignature === undefined)
        wrong.push("empty text parameter");
    }
    const calls = parts.map((part) => part.functionCall).filter(isObject);
    const before = listOf(turns[index - 1]?.parts)
      .map((part) => part.functionCall)
      .filter(isObject);
    const results = parts.map((part) => part.functionResponse).filter(isObject);
    for (const each of [...calls, ...results])
      if (!name.test(String(each.name))) wrong.push("Invalid name");
    if (results.length !== before.length)
      wrong.push("function response parts must equal function call parts");
    const key = rules.vertex ? "name" : "id";
    const asked = before.map((each) => each[key]);
    const given = results.map((each) => each[key]);
    if (
      JSON.stringify(rules.vertex ? asked : asked.sort()) !==
      JSON.stringify(rules.vertex ? given : given.sort())
    ) {
      wrong.push("function responses do not match their calls");
    }
    if (rules.vertex && [...calls, ...results].some((each) => "id" in each))
      wrong.push('Unknown name "id"');
    const first = parts.find((part) => isObject(part.functionCall));
    if (rules.signs && first !== undefined && typeof first.thoughtSignature !== "string") {
      wrong.push("Function call is missing a thought_signature");
    }
  });
  return wrong;
}

/** OpenAI's responses. */
export function checkResponses(body: Json): string[] {
  const wrong: string[] = [];
  const names = /^[a-zA-Z0-9_-]{1,64}$/;
  for (const tool of listOf(body.tools)) {
    if (!names.test(String(tool.name))) wrong.push(`tools.name: ${tool.name}`);
    wrong.push(...checkRoot(tool.parameters), ...checkOpenaisSchema(tool.parameters));
  }
  const items = typeof body.input === "string" ? [] : listOf(body.input);
  const called = new Set<unknown>();
  const waiting = new Set<unknown>();
  items.forEach((item, index) => {
    const { type, call_id: id, name, content } = item;
    if (Array.isArray(content) && content.length === 0)
      wrong.push(`input[${index}]: empty content`);
    if (id !== undefined && String(id).length > 64) wrong.push(`input[${index}].call_id: too long`);
    if (type === "function_call") {
      if (!names.test(String(name))) wrong.push(`input[${index}].name: ${name}`);
      called.add(id);
      waiting.add(id);
    }
    if (type === "function_call_output") {
      if (!called.has(id)) wrong.push(`No tool call found for function call output ${id}`);
      waiting.delete(id);
    }
    if (type === "reasoning" && items[index + 1] === undefined)
      wrong.push("reasoning without its item");
  });
  if (waiting.size > 0) wrong.push("No tool output found for function call");
  return wrong;
}
