// Refusals in the format of Google's APIs: a status by name, and details that clients act on. Gemini CLI waits as long as
// RetryInfo says, and gives up where a quota is exhausted.
import type { Fault, FaultCode, JsonObject } from "@turnpike/base";
import type { ErrorFormat } from "../errors/error-format.ts";
import { answerForFault, type FaultAnswer, statusOfFault } from "../errors/fault-answer.ts";

/** Source: `google.rpc.Code`. Any other status has the name of its class. */
const nameOfStatus: ReadonlyMap<number, string> = new Map([
  [401, "UNAUTHENTICATED"],
  // No status of Google's means money; clients give up at this one's reason.
  [402, "RESOURCE_EXHAUSTED"],
  [403, "PERMISSION_DENIED"],
  [404, "NOT_FOUND"],
  [405, "UNIMPLEMENTED"],
  [408, "DEADLINE_EXCEEDED"],
  [409, "ABORTED"],
  [429, "RESOURCE_EXHAUSTED"],
  [499, "CANCELLED"],
  [500, "INTERNAL"],
  [504, "DEADLINE_EXCEEDED"],
]);

const reasonOfStatus: ReadonlyMap<number, string> = new Map([
  [402, "QUOTA_EXHAUSTED"],
  [429, "RATE_LIMIT_EXCEEDED"],
]);

const reasonOfCode: Partial<Record<FaultCode, string>> = {
  invalid_api_key: "API_KEY_INVALID",
  key_expired: "API_KEY_EXPIRED",
};

export const googleErrors: ErrorFormat = { statusOf: statusOfFault, answer };

function answer(fault: Fault): FaultAnswer {
  const { status, headers } = answerForFault(fault);
  return { status, headers, body: googleErrorBody(fault) };
}

/** The same refusal as the last response of a stream whose 200 was already sent. */
export function googleErrorBody(fault: Fault): JsonObject {
  const { status, headers, body } = answerForFault(fault);
  const message = wordingOf(fault, body.error.message);
  const name = nameOfStatus.get(status) ?? (status < 500 ? "INVALID_ARGUMENT" : "UNAVAILABLE");
  const details = [errorInfo(fault, status, body.error.metadata ?? {})];
  const { param } = fault.details;
  if (param !== undefined) {
    const fieldViolations = [{ field: param, description: message }];
    details.push({ "@type": typeUrl("BadRequest"), fieldViolations });
  }
  const waitMs = headers["retry-after-ms"];
  if (waitMs !== undefined) {
    details.push({ "@type": typeUrl("RetryInfo"), retryDelay: `${Number(waitMs) / 1000}s` });
  }
  return { error: { code: status, message, status: name, details } };
}

function errorInfo(
  { code }: Fault,
  status: number,
  facts: Readonly<Record<string, unknown>>,
): JsonObject {
  const metadata = Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
  const reason = reasonOfCode[code] ?? reasonOfStatus.get(status) ?? code.toUpperCase();
  return { "@type": typeUrl("ErrorInfo"), reason, domain: "turnpike", metadata };
}

function typeUrl(name: string): string {
  return `type.googleapis.com/google.rpc.${name}`;
}

function wordingOf({ code }: Fault, message: string): string {
  if (code !== "missing_api_key") return message;
  return "No API key was provided. Send it in the x-goog-api-key header, or as `Authorization: Bearer YOUR_KEY`.";
}
