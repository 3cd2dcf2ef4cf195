// Identifiers that callers of another language write longer than a provider accepts them. A digest takes the
// place of a long one, and the same identifier always becomes the same digest.
import type { JsonObject } from "@turnpike/base";
import { openaiIdentifiers } from "@turnpike/wire";

/** At most 64 characters that stand for `text`. */
export function digestOf(text: string, chars: number): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, chars);
}

/** The identifiers of a request, as OpenAI accepts them. A digest has at most 64 characters. */
export function fitIdentifiers(body: JsonObject): JsonObject {
  const fitted: JsonObject = {};
  for (const [name, maxChars] of openaiIdentifiers) {
    const value = body[name];
    if (typeof value !== "string") continue;
    fitted[name] = value.length <= maxChars ? value : digestOf(value, maxChars);
  }
  return fitted;
}
