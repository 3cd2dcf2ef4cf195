// The content of one event of a block: its typed deltas, and its text for counting.
import { parseObject } from "@turnpike/base";
import type { DeltaEvent } from "@turnpike/wire";
import { type CallEvent, customCall } from "./read-blocks.ts";

/** A call that has begun and not ended. */
export type OpenCall = {
  readonly index: number;
  readonly input: unknown;
  spelled: boolean;
  /** For a custom tool: its text is known only when its JSON is complete. */
  readonly custom: CallEvent | undefined;
  json: string;
};

export type Said = { text: string; deltas: DeltaEvent[] };

export const nothing: Said = { text: "", deltas: [] };

/** Shown only to a caller of the same language, but always counted. */
export function unread(text: string): Said {
  return { text, deltas: [] };
}

export function say(text: string): Said {
  return text === "" ? nothing : { text, deltas: [{ kind: "text", choice: 0, text }] };
}

export function think(text: string, signature: string | undefined): Said {
  if (text === "" && signature === undefined) return nothing;
  return { text, deltas: [{ kind: "reasoning", choice: 0, text, signature }] };
}

export function spell({ index }: OpenCall, fragment: string): Said {
  const named = { id: undefined, name: undefined };
  const delta = { kind: "tool_call", choice: 0, index, ...named, arguments: fragment } as const;
  return { text: fragment, deltas: [delta] };
}

export function endCustom({ json, input, spelled }: OpenCall, begun: CallEvent): Said {
  const call = customCall(begun, spelled ? (parseObject(json) ?? json) : input);
  return { text: `${call.name ?? ""}${call.arguments}`, deltas: [call] };
}
