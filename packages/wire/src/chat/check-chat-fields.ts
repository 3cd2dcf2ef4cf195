// Checks the fields of a chat completion request, each by its own rule, and the rules between them.
import { isObject, type JsonObject } from "@turnpike/base";
import { brokenRule, missing } from "../checks/body-fault.ts";
import { noPath } from "../checks/check-value.ts";
import { checkFields, ruleOf, rulesOf } from "../fields/check-fields.ts";

const model = ruleOf("chat", "model");
const messages = ruleOf("chat", "messages");
const rules = rulesOf("chat");

/** Null means absent. Throws Fault. */
export function checkChatFields(body: JsonObject): void {
  if (body.model !== undefined) model(body.model, "model");
  else if (!Array.isArray(body.models) || body.models.length === 0) throw missing("model");
  if (body.messages === undefined) throw missing("messages");
  try {
    checkAll(body, false);
  } catch (thrown) {
    checkAll(body, true);
    throw thrown;
  }
  checkRulesBetweenFields(body);
}

/** Without paths the Fault says only that something is refused. */
function checkAll(body: JsonObject, withPaths: boolean): void {
  messages(body.messages, withPaths ? "messages" : noPath);
  checkFields(rules, body, withPaths);
}

function checkRulesBetweenFields(body: JsonObject): void {
  assertOneEffort(body);
  if (body.stream !== true && isObject(body.stream_options)) {
    throw brokenRule(
      "stream_options",
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
    );
  }
  if (body.logprobs !== true && Number(body.top_logprobs) > 0) {
    throw brokenRule(
      "top_logprobs",
      "The 'top_logprobs' parameter is only allowed when 'logprobs' is enabled.",
    );
  }
  const wantsAudio = Array.isArray(body.modalities) && body.modalities.includes("audio");
  if (wantsAudio && !isObject(body.audio)) throw missing("audio");
  if (wantsAudio && Array.isArray(body.modalities) && body.modalities.includes("image")) {
    throw brokenRule("modalities", "An answer has audio or images, not both. Ask for one of them.");
  }
}

/** Both are the same wish, in OpenRouter's words and in OpenAI's. */
function assertOneEffort({ reasoning, reasoning_effort: effort }: JsonObject): void {
  if (!isObject(reasoning) || typeof reasoning.effort !== "string") return;
  if (typeof effort !== "string" || effort === reasoning.effort) return;
  throw brokenRule(
    "reasoning_effort",
    "'reasoning_effort' and 'reasoning.effort' ask for different efforts. Send one of them.",
  );
}
