// Identifiers that callers of another language write longer than a provider accepts them. A digest takes the
// place of a long one, and the same identifier always becomes the same digest.
import type { JsonObject } from "@turnpike/base";

/** At most 64 characters that stand for `text`. */
export function digestOf(text: string, chars: number): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, chars);
}

/** `text` itself where it is short enough. */
function fitIdentifier(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : digestOf(text, maxChars);
}

/** The longest id of a tool call that OpenAI accepts in each of its APIs. */
const callIdMaxChars = { chat: 40, responses: 64 };

/** The id of a call, in the call and in its result alike; what is no id stays as it is. */
export function fitCallId(id: unknown, api: keyof typeof callIdMaxChars): unknown {
  return typeof id === "string" ? fitIdentifier(id, callIdMaxChars[api]) : id;
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
