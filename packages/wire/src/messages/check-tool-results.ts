// The rule between turns: what an assistant called is answered in the very next user turn. Consecutive
// messages of one role are one turn.
import { isObject, type JsonObject } from "@turnpike/base";
import { brokenRule } from "../checks/body-fault.ts";

type Turn = { readonly role: unknown; readonly index: number; readonly blocks: JsonObject[] };

/** Throws Fault with Anthropic's wording. `messages` have been checked one by one. */
export function checkToolResults(messages: unknown): void {
  let called = new Set<unknown>();
  let calledAt = 0;
  for (const { role, index, blocks } of turnsOf(messages)) {
    if (role === "assistant") {
      called = idsOf(blocks, "tool_use", "id");
      calledAt = index;
      continue;
    }
    const answered = idsOf(blocks, "tool_result", "tool_use_id");
    assertAnswered(called.difference(answered), calledAt);
    assertExpected(answered.difference(called), index);
    called = new Set();
  }
  assertAnswered(called, calledAt);
}

function turnsOf(messages: unknown): Turn[] {
  const turns: Turn[] = [];
  if (!Array.isArray(messages)) return turns;
  messages.forEach((message: unknown, index) => {
    // Instructions in the middle of a conversation are not a turn.
    if (!isObject(message) || message.role === "system") return;
    const blocks = Array.isArray(message.content) ? message.content.filter(isObject) : [];
    const last = turns.at(-1);
    if (last?.role === message.role) last?.blocks.push(...blocks);
    else turns.push({ role: message.role, index, blocks });
  });
  return turns;
}

function idsOf(blocks: readonly JsonObject[], type: string, field: string): Set<unknown> {
  return new Set(blocks.flatMap((block) => (block.type === type ? [block[field]] : [])));
}

function list(ids: ReadonlySet<unknown>): string {
  return [...ids].join(", ").slice(0, 400);
}

function assertAnswered(ids: ReadonlySet<unknown>, index: number): void {
  if (ids.size === 0) return;
  throw brokenRule(
    `messages[${index}]`,
    `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${list(ids)}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
  );
}

function assertExpected(ids: ReadonlySet<unknown>, index: number): void {
  if (ids.size === 0) return;
  throw brokenRule(
    `messages[${index}]`,
    `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${list(ids)}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
  );
}
