// Identifiers that callers of another language write longer than a provider accepts them. A digest takes the
// place of a long one, and the same identifier always becomes the same digest.
import type { JsonObject } from "@turnpike/base";

/** At most 64 characters that stand for `text`. */
export function digestOf(text: string, chars: number): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, chars);
}

/** OpenAI refuses longer values of these fields. A digest has 64 characters. */
const openaiMaxChars = 64;
const openaiIdentifiers = ["user", "safety_identifier", "prompt_cache_key"];

/** The identifiers of a request, as OpenAI accepts them. */
export function fitIdentifiers(body: JsonObject): JsonObject {
  const fitted: JsonObject = {};
  for (const name of openaiIdentifiers) {
    const value = body[name];
    if (typeof value !== "string") continue;
    fitted[name] = value.length <= openaiMaxChars ? value : digestOf(value, openaiMaxChars);
  }
  return fitted;
}
