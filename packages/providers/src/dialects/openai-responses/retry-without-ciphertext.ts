// What an upstream's `/responses` is asked once it has refused encrypted reasoning, which it cannot decrypt where
// another organization wrote it: the same without any. Models answer without earlier reasoning. What it has
// refused is not sent to it again.
import { isObject, type JsonObject } from "@turnpike/base";
import { editJsonObject, findMembers, memberText, parseExactly } from "@turnpike/wire";
import type { DialectRequest, Provider } from "../../provider.ts";
import { parseErrorBody } from "../../refusals/parse-error-body.ts";
import { rememberRefused, wasRefused } from "../../refused-parts.ts";
import { digestOf } from "../fit-identifier.ts";

const refusalCode = "invalid_encrypted_content";

/** Undefined for any other refusal, and for a request without encrypted reasoning. */
export function retryWithoutCiphertext(
  { provider }: { readonly provider: Provider },
  dialectRequest: DialectRequest,
  status: number,
  refusal: string,
): DialectRequest | undefined {
  if (status !== 400 || parseErrorBody(refusal).code !== refusalCode) return undefined;
  const members = findMembers(dialectRequest.body);
  const input = parseExactly(memberText(dialectRequest.body, members, "input") ?? "null");
  if (!Array.isArray(input)) return undefined;
  const encrypted = input.filter(isEncrypted);
  if (encrypted.length === 0) return undefined;
  rememberRefused(provider, encrypted.map(nameOf));
  const set = { input: JSON.stringify(drop(input, isEncrypted)) };
  return { ...dialectRequest, body: editJsonObject(dialectRequest.body, members, { set }) };
}

/** `input` without the reasoning that this provider has refused before; unchanged if it has no such reasoning. */
export function withoutRefusedCiphertext(provider: Provider, input: unknown): unknown {
  if (!Array.isArray(input)) return input;
  const isRefused = (item: unknown): boolean =>
    isEncrypted(item) && wasRefused(provider, () => nameOf(item));
  return input.some(isRefused) ? drop(input, isRefused) : input;
}

type Encrypted = JsonObject & { readonly encrypted_content: string };

function isEncrypted(item: unknown): item is Encrypted {
  return isObject(item) && item.type === "reasoning" && typeof item.encrypted_content === "string";
}

function nameOf(item: Encrypted): string {
  return `ciphertext ${digestOf(item.encrypted_content, 32)}`;
}

function drop(input: readonly unknown[], isDropped: (item: unknown) => boolean): unknown[] {
  return input.filter((item) => !isDropped(item)).map(withoutId);
}

/** By its id OpenAI knows which reasoning an item followed, and refuses it without. */
function withoutId(item: unknown): unknown {
  if (!isObject(item) || item.type === "reasoning") return item;
  const { id: _, ...rest } = item;
  return rest;
}
