// Which member of a request a model is not known to support, for callers who want none to be ignored.
import type { JsonObject } from "@turnpike/base";
import { asksForNothing } from "./asks-for-nothing.ts";
import { routingFields } from "./read-routing.ts";

/** Members that every upstream takes or does without, or never sees because the gateway reads them itself. */
const takenEverywhere: ReadonlySet<string> = new Set([
  ...[...routingFields, "max_cost", "session_id", "trace", "usage"],
  ...["model", "messages", "input", "stream", "stream_options", "n"],
  ...["user", "safety_identifier", "metadata", "store"],
  ...["cache_control", "prompt_cache_key", "prompt_cache_retention", "prompt_cache_options"],
]);

/** `supported` are names as `/v1/models` lists them. */
export function findUnsupportedParameter(
  body: JsonObject,
  supported: readonly string[],
): string | undefined {
  return Object.keys(body).find(
    (name) =>
      !takenEverywhere.has(name) && !supported.includes(name) && !asksForNothing(name, body[name]),
  );
}
