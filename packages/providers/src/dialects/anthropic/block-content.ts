// The content of one event of a block as typed deltas.
import { parseObject } from "@turnpike/base";
import type { DeltaEvent } from "@turnpike/wire";
import { type CallEvent, customCall } from "./parse-blocks.ts";

/** A call that has begun and not ended. */
export type OpenCall = {
  readonly index: number;
  readonly input: unknown;
  hasFragments: boolean;
  /** For a custom tool: its text is known only when its JSON is complete. */
  readonly custom: CallEvent | undefined;
  json: string;
};

export const noContent: readonly DeltaEvent[] = [];

export function textContent(text: string): readonly DeltaEvent[] {
  return text === "" ? noContent : [{ kind: "text", choice: 0, text }];
}

export function thinkingContent(
  text: string,
  signature: string | undefined,
): readonly DeltaEvent[] {
  if (text === "" && signature === undefined) return noContent;
  return [{ kind: "reasoning", choice: 0, text, signature }];
}

export function argumentsContent({ index }: OpenCall, fragment: string): readonly DeltaEvent[] {
  const named = { id: undefined, name: undefined };
  return [{ kind: "tool_call", choice: 0, index, ...named, arguments: fragment }];
}

export function endCustom(
  { json, input, hasFragments }: OpenCall,
  begun: CallEvent,
): readonly DeltaEvent[] {
  return [customCall(begun, hasFragments ? (parseObject(json) ?? json) : input)];
}
