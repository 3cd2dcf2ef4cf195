// Which member of a request a model is not known to take, for callers who want none to be ignored.
import type { JsonObject } from "@turnpike/base";

/** Members that every upstream takes, or never sees because the gateway reads them itself. */
const takenEverywhere: ReadonlySet<string> = new Set([
  ...["model", "models", "messages", "input", "provider", "route"],
  ...["stream", "stream_options", "usage", "user", "session_id", "metadata", "n"],
  ...["prompt_cache_key", "safety_identifier"],
]);

/** `supported` are names as `/v1/models` lists them. */
export function findUnsupportedParameter(
  body: JsonObject,
  supported: readonly string[],
): string | undefined {
  return Object.keys(body).find(
    (name) => body[name] !== null && !takenEverywhere.has(name) && !supported.includes(name),
  );
}
