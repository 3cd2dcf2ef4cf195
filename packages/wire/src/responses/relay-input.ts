// The input of a request for an upstream with this API itself: the caller's own, without what
// that upstream could not read.
import { isObject } from "@turnpike/base";
import { isConfigurationUpdate } from "./configuration-update.ts";
import { openReasoning } from "./encrypted-reasoning.ts";
import { isCallWithoutImage } from "./image-tool.ts";
import { isReasoningReference } from "./item-reference.ts";

/**
 * `input` itself if nothing is dropped. Dropped are reasoning of another provider, which this one
 * cannot decrypt, what the provider would need to have stored (references to items, images that are
 * not in their calls, and reasoning without its encrypted content), and updates of settings, which were applied.
 */
export function relayableInput(input: unknown): unknown {
  if (!Array.isArray(input) || !input.some(isUnreadable)) return input;
  return input.filter((item) => !isUnreadable(item));
}

function isUnreadable(item: unknown): boolean {
  if (isReasoningReference(item) || isConfigurationUpdate(item)) return true;
  if (isCallWithoutImage(item)) return true;
  if (!isObject(item) || item.type !== "reasoning") return false;
  const { encrypted_content: sealed } = item;
  return typeof sealed !== "string" || openReasoning(sealed) !== undefined;
}
