// Refusals in the format of OpenRouter's API: a numeric code, which is the status, and the kind of error in its
// metadata.
import type { Fault, FaultCode, JsonObject } from "@turnpike/base";
import { answerHead } from "../protocol/answer-head.ts";
import type { AnswerIdentity } from "../protocol/pivot.ts";
import type { ErrorFormat } from "./error-format.ts";
import { answerForFault, type FaultAnswer, statusOfFault } from "./fault-answer.ts";

export const openrouterErrors: ErrorFormat = { statusOf: statusOfFault, answer };

/** Source: OpenRouter's documentation, "error_type". Any other status has the type of its class. */
const typeOfStatus: ReadonlyMap<number, string> = new Map([
  [401, "authentication"],
  [402, "payment_required"],
  [403, "permission_denied"],
  [404, "not_found"],
  [413, "payload_too_large"],
  [429, "rate_limit_exceeded"],
  [502, "provider_unavailable"],
  [503, "provider_overloaded"],
  [504, "timeout"],
]);

const typeOfCode: Partial<Record<FaultCode, string>> = {
  context_length_exceeded: "context_length_exceeded",
  content_filter: "content_policy_violation",
};

function answer(fault: Fault): FaultAnswer {
  const { status, headers, body } = answerForFault(fault);
  return { status, headers, body: { error: errorOf(fault, status, body.error) } };
}

/** Our own code and the field are facts for programs there. */
function errorOf(
  fault: Fault,
  status: number,
  { message, code, param, metadata }: ReturnType<typeof answerForFault>["body"]["error"],
): JsonObject {
  const error_type =
    typeOfCode[fault.code] ??
    typeOfStatus.get(status) ??
    (status < 500 ? "invalid_request" : "server");
  return {
    code: status,
    message,
    metadata: {
      ...metadata,
      error_type,
      ...(code !== null && { code }),
      ...(param !== null && { param }),
    },
  };
}

/** The last chunk of a stream that failed after its 200. */
export function openrouterErrorChunk(fault: Fault, identity: AnswerIdentity): JsonObject {
  const { status, body } = answerForFault(fault);
  const choice = { index: 0, delta: { content: "" }, finish_reason: "error" };
  const head = answerHead(identity, "chat.completion.chunk");
  return { ...head, choices: [choice], error: errorOf(fault, status, body.error) };
}
