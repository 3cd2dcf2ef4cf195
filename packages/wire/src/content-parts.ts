// The content of messages as text or as parts of known types, for the protocols of OpenAI.
import { isObject } from "@turnpike/base";
import { list, type Rule, tagged, textOr } from "./check-value.ts";
import { unsupported } from "./refuse-body.ts";

/** A text, or parts whose `type` is in `parts`. */
export function contentOf(parts: Readonly<Record<string, Rule>>): Rule {
  const shape = tagged("type", parts);
  const part: Rule = (value, path) => {
    shape(value, path);
    // vLLM then ignores the type: a text with the address of an image is an image, and no media at all are those that
    // somebody else has sent under this name.
    if (!isObject(value) || (value.uuid ?? null) === null) return;
    throw unsupported(`${path}.uuid`, "Media cannot be referred to. Send the content itself.");
  };
  return textOr(list(part, { of: "objects" }), "objects");
}
