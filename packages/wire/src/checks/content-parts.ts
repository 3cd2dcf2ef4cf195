// The content of messages as text or as parts of known types, for the protocols of OpenAI.
import { isObject } from "@turnpike/base";
import { unsupported } from "./body-fault.ts";
import { list, memberPath, type Rule, rule, tagged, textOr } from "./check-value.ts";

/**
 * Names under which servers keep media for all of their callers: vLLM, SGLang. With one, vLLM also ignores the type of
 * a part: a text with the address of an image is an image.
 */
const mediaNames = ["uuid", "content_hash"] as const;

function assertNoNames(holder: unknown, path: string): void {
  if (!isObject(holder)) return;
  for (const name of mediaNames) {
    if ((holder[name] ?? null) === null) continue;
    throw unsupported(`${path}.${name}`, "Media cannot be named. Send the content itself.");
  }
}

/** A text, or parts whose `type` is in `parts`. */
export function contentOf(parts: Readonly<Record<string, Rule>>): Rule {
  const shape = tagged("type", parts);
  const part = rule(shape.bounds, (value, path) => {
    shape(value, path);
    assertNoNames(value, path);
    if (isObject(value)) assertNoNames(value.image_url, memberPath(path, "image_url"));
  });
  return textOr(list(part, { of: "objects" }), "objects");
}
