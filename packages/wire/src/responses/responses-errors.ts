// Refusals of the Responses API: OpenAI's envelope, with the fields named as this API names them. What is
// checked behind the translation speaks of a chat completion, which the caller never wrote.
import type { Fault } from "@turnpike/base";
import type { ErrorFormat } from "../error-format.ts";
import { answerForFault, statusOfFault } from "../fault-answer.ts";

const names: readonly (readonly [chat: RegExp, own: string])[] = [
  [/^messages\b.*/, "input"],
  [/^max_(?:completion_)?tokens$/, "max_output_tokens"],
  [/^response_format\b/, "text.format"],
  [/^reasoning_effort$/, "reasoning.effort"],
  [/^verbosity$/, "text.verbosity"],
];

function ownName(param: string): string {
  for (const [chat, own] of names) if (chat.test(param)) return param.replace(chat, own);
  return param;
}

export const responsesErrors: ErrorFormat = {
  statusOf: statusOfFault,
  answer(fault: Fault) {
    const answer = answerForFault(fault);
    const { error } = answer.body;
    if (typeof error !== "object" || error === null || !("param" in error)) return answer;
    const { param } = error;
    const named = typeof param === "string" ? { ...error, param: ownName(param) } : error;
    return { ...answer, body: { ...answer.body, error: named } };
  },
};
