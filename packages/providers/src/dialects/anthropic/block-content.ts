// The content of one event of a block: its typed deltas, and its text for counting.
import { parseObject } from "@turnpike/base";
import type { DeltaEvent } from "@turnpike/wire";
import { type CallEvent, customCall } from "./read-blocks.ts";

/** A call that has begun and not ended. */
export type OpenCall = {
  readonly index: number;
  readonly input: unknown;
  hasFragments: boolean;
  /** For a custom tool: its text is known only when its JSON is complete. */
  readonly custom: CallEvent | undefined;
  json: string;
};

export type BlockContent = { text: string; deltas: DeltaEvent[] };

export const noContent: BlockContent = { text: "", deltas: [] };

/** Shown only to a caller of the same language, but always counted. */
export function hiddenContent(text: string): BlockContent {
  return { text, deltas: [] };
}

export function textContent(text: string): BlockContent {
  return text === "" ? noContent : { text, deltas: [{ kind: "text", choice: 0, text }] };
}

export function thinkingContent(text: string, signature: string | undefined): BlockContent {
  if (text === "" && signature === undefined) return noContent;
  return { text, deltas: [{ kind: "reasoning", choice: 0, text, signature }] };
}

export function argumentsContent({ index }: OpenCall, fragment: string): BlockContent {
  const named = { id: undefined, name: undefined };
  const delta = { kind: "tool_call", choice: 0, index, ...named, arguments: fragment } as const;
  return { text: fragment, deltas: [delta] };
}

export function endCustom({ json, input, hasFragments }: OpenCall, begun: CallEvent): BlockContent {
  const call = customCall(begun, hasFragments ? (parseObject(json) ?? json) : input);
  return { text: `${call.name ?? ""}${call.arguments}`, deltas: [call] };
}
