// Identifiers that callers of another language write longer than a provider accepts them. A digest takes the
// place of a long one, and the same identifier always becomes the same digest.
import type { JsonObject } from "@turnpike/base";

/** `text` itself where it is short enough. */
export function fitIdentifier(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, maxChars);
}

/** OpenAI refuses longer values of these fields. A digest has 64 characters. */
const openaiMaxChars = 64;
const openaiIdentifiers = ["user", "safety_identifier", "prompt_cache_key"];

/** The identifiers of a request, as OpenAI accepts them. */
export function fitIdentifiers(body: JsonObject): JsonObject {
  const fitted: JsonObject = {};
  for (const name of openaiIdentifiers) {
    const value = body[name];
    if (typeof value === "string") fitted[name] = fitIdentifier(value, openaiMaxChars);
  }
  return fitted;
}
