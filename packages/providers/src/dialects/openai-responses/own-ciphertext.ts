// What a client keeps of a provider's encrypted reasoning: the ciphertext, its provider and how many calls
// of its turn came before it. No other organization can decrypt it: OpenAI refuses ciphertext that it
// cannot decrypt.
import type { Provider } from "../../provider.ts";

export type Ciphertext = { readonly text: string; readonly callsBefore: number };

export function nameCiphertext({ id }: Provider, { text, callsBefore }: Ciphertext): string {
  return `${id}:${callsBefore}:${text}`;
}

/** Undefined for the data of another provider. */
export function parseOwnCiphertext({ id }: Provider, data: unknown): Ciphertext | undefined {
  if (typeof data !== "string" || !data.startsWith(`${id}:`)) return undefined;
  const [, calls, text] = /^(\d{1,5}):(.+)$/s.exec(data.slice(id.length + 1)) ?? [];
  return text === undefined ? undefined : { text, callsBefore: Number(calls) };
}
