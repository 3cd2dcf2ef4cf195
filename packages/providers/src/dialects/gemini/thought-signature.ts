// Gemini signs its thoughts, and expects the signatures back with the next turn. Those of tool calls are
// in `extra_content.google`, as in Google's own OpenAI-compatible API, and among the details of the reasoning, as at
// OpenRouter; all others are reasoning that only their provider can read, marked so that another provider's is never
// mistaken for one.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import { type DeltaEvent, signedMembers } from "@turnpike/wire";

type ToolCall = Extract<DeltaEvent, { kind: "tool_call" }>;

/** OpenRouter's name for the format of what Google signed. */
const signatureFormat = "google-gemini-v1";

/**
 * What a signed tool call carries: its own members, and the same as a detail of the reasoning, for clients that follow
 * OpenRouter and send only those back.
 */
export function signedCall(signature: string): Pick<ToolCall, "extra" | "encrypted"> {
  return {
    extra: signedMembers(signature),
    encrypted: { data: signature, format: signatureFormat },
  };
}

/** Of the calls of a message, by id, as its details have them. */
export function signaturesIn(details: readonly JsonObject[]): ReadonlyMap<unknown, string> {
  const signatures = new Map<unknown, string>();
  for (const { id, data, format } of details) {
    const signature = format === signatureFormat ? parseText(data) : undefined;
    if (signature !== undefined) signatures.set(id, signature);
  }
  return signatures;
}

/** In the call itself, or else among `others`. */
export function signatureOfCall(
  call: JsonObject,
  others: ReadonlyMap<unknown, string>,
): string | undefined {
  const extra = isObject(call.extra_content) ? call.extra_content : {};
  const own = isObject(extra.google) ? parseText(extra.google.thought_signature) : undefined;
  return own ?? others.get(call.id);
}
