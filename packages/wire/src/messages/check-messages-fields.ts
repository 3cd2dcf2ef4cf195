// Checks the fields of a request of Anthropic's messages API, each by its own rule. Preferences of a chat completion are
// what they are there.
import { isObject, type JsonObject } from "@turnpike/base";
import { missing, notSupported } from "../checks/body-fault.ts";
import {
  assertNoRefusedField,
  checkFields,
  refusalsOf,
  ruleOf,
  rulesOf,
} from "../fields/check-fields.ts";
import { checkToolResults } from "./check-tool-results.ts";

const model = ruleOf("messages", "model");
const maxTokens = ruleOf("messages", "max_tokens");
const messages = ruleOf("messages", "messages");
const rules = rulesOf("messages");
const refusals = refusalsOf("messages");

/** Null means absent. Throws Fault. */
export function checkMessagesFields(body: JsonObject, needsMaxTokens: boolean): void {
  if (body.model === undefined) throw missing("model");
  model(body.model, "model");
  if (needsMaxTokens || (body.max_tokens ?? null) !== null) {
    if (body.max_tokens === undefined) throw missing("max_tokens");
    maxTokens(body.max_tokens, "max_tokens");
  }
  if (body.messages === undefined) throw missing("messages");
  messages(body.messages, "messages");
  checkFields(rules, body);
  checkToolResults(body.messages);
  assertKnownTool(body);
  assertNoRefusedField(refusals, body);
}

/**
 * A choice of a tool that is not offered would be refused upstream, with a message that depends on
 * the upstream.
 */
function assertKnownTool({ tool_choice: chosen, tools }: JsonObject): void {
  if (!isObject(chosen) || chosen.type !== "tool" || typeof chosen.name !== "string") return;
  const names = Array.isArray(tools)
    ? tools.flatMap((offered: unknown) =>
        isObject(offered) && typeof offered.name === "string" ? [offered.name] : [],
      )
    : [];
  if (!names.includes(chosen.name)) throw notSupported("tool_choice.name", chosen.name, names);
}
