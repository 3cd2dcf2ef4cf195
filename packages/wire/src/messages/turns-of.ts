// The turns of an Anthropic conversation: consecutive messages of one role are one turn, and the results
// of calls follow the calls directly, as chat completions require.
import { isObject, type JsonObject } from "@turnpike/base";

/** A block of content and its path in the caller's body. */
type PlacedBlock = { readonly block: JsonObject; readonly path: string };

export type Turn = {
  readonly role: unknown;
  /** Path of its first message. */
  readonly path: string;
  readonly blocks: PlacedBlock[];
  hasCalls: boolean;
};

/**
 * An instruction (role `system`) in the middle is a separate turn. One between a call and its result
 * moves after the turn of the result.
 */
export function turnsOf(messages: readonly unknown[]): Turn[] {
  const turns: Turn[] = [];
  /** Index of the last turn that is not an instruction. */
  let lastTurn = -1;
  messages.forEach((message: unknown, index) => {
    if (!isObject(message)) return;
    const turn = turnOf(message, `messages[${index}]`);
    if (turn.role === "system") {
      turns.push(turn);
      return;
    }
    const last = turns[lastTurn];
    const follows =
      lastTurn === turns.length - 1 ||
      last?.hasCalls === true ||
      (last !== undefined && turn.blocks.some(({ block }) => block.type === "tool_result"));
    if (follows && last !== undefined && last.role === turn.role) {
      // No spread: a message may have more blocks than a call can have arguments.
      for (const block of turn.blocks) last.blocks.push(block);
      last.hasCalls ||= turn.hasCalls;
      return;
    }
    lastTurn = follows ? lastTurn + 1 : turns.length;
    turns.splice(lastTurn, 0, turn);
  });
  return turns;
}

function turnOf({ role, content }: JsonObject, path: string): Turn {
  const blocks: PlacedBlock[] = [];
  if (typeof content === "string" && content !== "") {
    blocks.push({ block: { type: "text", text: content }, path: `${path}.content` });
  } else if (Array.isArray(content)) {
    content.forEach((block: unknown, index) => {
      if (isObject(block)) blocks.push({ block, path: `${path}.content[${index}]` });
    });
  }
  const hasCalls = role === "assistant" && blocks.some(({ block }) => block.type === "tool_use");
  return { role, path, blocks, hasCalls };
}
