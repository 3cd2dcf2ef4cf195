// Members for gateways in a request of Anthropic's messages API, after OpenRouter: each is honored, asks for
// what happens anyway, or is refused by name. None reaches an upstream.
import type { JsonObject } from "@turnpike/base";
import type { FieldBounds } from "../bounds.ts";
import { boolean, boundsOf, object, type Rule, text } from "../check-value.ts";
import { unsupported } from "../refuse-body.ts";

/** Members for which Anthropic has its own field. */
const replaced: Readonly<Record<string, string>> = {
  reasoning: "Use 'thinking', and 'output_config.effort'.",
  reasoning_effort: "Use 'output_config.effort'.",
  include_reasoning: "Use 'thinking.display'.",
};

const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;

const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  // Every answer has its usage, with its cost.
  ["usage", object({ optional: { include: boolean } })],
  // Calls of one session go to the same provider while it works.
  ["session_id", text({ maxLength: 256 })],
]);

export const messagesGatewayBounds: FieldBounds = boundsOf(rules);

/** Throws the Fault of the first one that cannot be honored. */
export function checkGatewayFields(body: JsonObject): void {
  for (const name in body) {
    const value = body[name];
    if ((value ?? null) === null) continue;
    rules.get(name)?.(value, name);
    if (Object.hasOwn(replaced, name)) throw unsupported(name, replaced[name] ?? "");
    if ((name === "transforms" || name === "plugins") && !isEmpty(value)) {
      throw unsupported(name, "This gateway neither shortens prompts nor runs plugins.");
    }
  }
}
