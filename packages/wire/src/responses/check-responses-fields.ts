// Checks the fields of a request for a response, each by its own rule. Others are those of a chat completion, or are
// passed on.
import { isObject, type JsonObject } from "@turnpike/base";
import { brokenRule, missing } from "../checks/body-fault.ts";
import { isGiven } from "../checks/check-value.ts";
import { checkFields, ruleOf, rulesOf } from "../fields/check-fields.ts";

const model = ruleOf("responses", "model");
const input = ruleOf("responses", "input");
const rules = rulesOf("responses");

/** Null means absent. Throws Fault. */
export function checkResponsesFields(body: JsonObject): void {
  if (!isGiven(body.model)) throw missing("model");
  model(body.model, "model");
  if (!isGiven(body.input)) throw missing("input");
  input(body.input, "input");
  checkFields(rules, body);
  if (body.stream !== true && isObject(body.stream_options)) {
    throw brokenRule(
      "stream_options",
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
    );
  }
}
