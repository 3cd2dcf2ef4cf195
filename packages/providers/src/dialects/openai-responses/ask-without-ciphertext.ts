// What an upstream's `/responses` is asked once it has refused encrypted reasoning, which it cannot decrypt where
// another organisation wrote it: the same without any. Models answer without earlier reasoning.
import { isObject } from "@turnpike/base";
import { editJsonObject, findMembers, memberText, parseExactly } from "@turnpike/wire";
import type { DialectRequest } from "../../provider.ts";
import { parseErrorBody } from "../../refusals/read-error-body.ts";

const refusalCode = "invalid_encrypted_content";

/** Undefined for any other refusal, and for a request without encrypted reasoning. */
export function askWithoutCiphertext(
  asked: DialectRequest,
  status: number,
  refusal: string,
): DialectRequest | undefined {
  if (status !== 400 || parseErrorBody(refusal).code !== refusalCode) return undefined;
  const members = findMembers(asked.body);
  const input = parseExactly(memberText(asked.body, members, "input") ?? "null");
  if (!Array.isArray(input) || !input.some(isEncrypted)) return undefined;
  const readable = input.filter((item) => !isEncrypted(item)).map(withoutId);
  const set = { input: JSON.stringify(readable) };
  return { ...asked, body: editJsonObject(asked.body, members, { set }) };
}

function isEncrypted(item: unknown): boolean {
  return isObject(item) && item.type === "reasoning" && typeof item.encrypted_content === "string";
}

/** By its id OpenAI knows which reasoning an item followed, and refuses it without. */
function withoutId(item: unknown): unknown {
  if (!isObject(item)) return item;
  const { id: _, ...rest } = item;
  return rest;
}
