// Refusals in the format of the AI SDK's gateway provider, which chooses the class of its error by `type` and repeats a call by its
// status.
import type { Fault, FaultCode } from "@turnpike/base";
import type { ErrorFormat } from "../errors/error-format.ts";
import { answerForFault, type FaultAnswer, statusOfFault } from "../errors/fault-answer.ts";

export const aiGatewayErrors: ErrorFormat = { statusOf: statusOfFault, answer };

/** Source: `createGatewayErrorFromResponse` of @ai-sdk/gateway. Any other status has the type of its class. */
const typeOfStatus: ReadonlyMap<number, string> = new Map([
  [401, "authentication_error"],
  // The SDK has no class of its own for it, and does not repeat it by its status.
  [402, "insufficient_funds"],
  [403, "forbidden"],
  [404, "not_found"],
  [424, "failed_dependency"],
  [429, "rate_limit_exceeded"],
]);

const typeOfCode: Partial<Record<FaultCode, string>> = { model_not_found: "model_not_found" };

function answer(fault: Fault): FaultAnswer {
  const { status, headers } = answerForFault(fault);
  return { status, headers, body: { error: aiGatewayError(fault) } };
}

/** The same as the `error` of a stream whose 200 was already sent. */
export function aiGatewayError(fault: Fault): Readonly<Record<string, unknown>> {
  const { status, body } = answerForFault(fault);
  const { message, param, code, metadata } = body.error;
  const type =
    typeOfCode[fault.code] ??
    typeOfStatus.get(status) ??
    (status < 500 ? "invalid_request_error" : "internal_server_error");
  return { message: naming(message, param), type, param, code, ...(metadata && { metadata }) };
}

/** The SDK's errors have a message and no field. */
function naming(message: string, param: string | null): string {
  return param === null || message.includes(param) ? message : `${param}: ${message}`;
}
