// `encrypted_content` of a reasoning item, and `data` of a redacted thinking block: everything that a
// provider needs back of its reasoning, in one text that the client returns unchanged. It contains what a
// later turn needs and no item or block has a member for: signatures, encrypted blocks, members of tool
// calls.
import { isObject, type JsonObject, parseObject } from "@turnpike/base";
import { scanJsonObject } from "../json/edit-json-object.ts";

export type KeptReasoning = {
  /** Entries of `reasoning_details`. */
  readonly details: readonly JsonObject[];
  /** By call id, members that the provider needs back with the call. */
  readonly callExtras: ReadonlyMap<string, JsonObject>;
};

/** Identifies the text and its version; a text without it is a provider's own. */
const prefix = "turnpike1.";

export function sealReasoning({ details, callExtras }: KeptReasoning): string {
  const text = JSON.stringify({ details, callExtras: [...callExtras] });
  return prefix + Buffer.from(text).toString("base64url");
}

/** Whether `text` is one of ours, and not a provider's own. */
export function isSealedReasoning(text: string): boolean {
  return text.startsWith(prefix);
}

/**
 * Undefined for a text that is not one of ours. It is not authenticated: a caller can send any
 * reasoning anyway, and providers verify their own signatures. Throws Fault `invalid_json` for one whose
 * nesting or size exceeds the bounds of a body.
 */
export function openReasoning(sealed: string): KeptReasoning | undefined {
  if (!isSealedReasoning(sealed)) return undefined;
  const text = Buffer.from(sealed.slice(prefix.length), "base64url").toString();
  // JSON within JSON has to be within the bounds of a body itself.
  scanJsonObject(text);
  const read = parseObject(text) ?? {};
  const details = Array.isArray(read.details) ? read.details.filter(isObject) : [];
  const callExtras = new Map<string, JsonObject>();
  for (const entry of Array.isArray(read.callExtras) ? read.callExtras : []) {
    const [id, extra]: unknown[] = Array.isArray(entry) ? entry : [];
    if (typeof id === "string" && isObject(extra)) callExtras.set(id, extra);
  }
  return { details, callExtras };
}
