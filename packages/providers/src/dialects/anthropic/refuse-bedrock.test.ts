// How refusals of Amazon Bedrock are mapped: AWS names their kind in a header and says little else.
import { expect, test } from "bun:test";
import { anthropicDialect } from "./anthropic-dialect.ts";
import { ownCall } from "./sample-messages-call.fixture.ts";

const provider = { ...ownCall().provider, cloud: "bedrock" } as const;

function refused(status: number, type: string, message: string) {
  const headers = new Headers({ "x-amzn-errortype": `${type}:http://internal.amazon.com/coral/` });
  return anthropicDialect.refuse(provider, status, JSON.stringify({ message }), headers);
}

test.each([
  [429, "ThrottlingException", "Too many requests", "upstream_rate_limited", 429],
  [400, "ServiceQuotaExceededException", "Your quota is used up", "upstream_rate_limited", 429],
  [503, "ServiceUnavailableException", "Try again", "upstream_overloaded", undefined],
  [400, "ValidationException", "messages: odd roles", "upstream_rejected", 400],
  [
    400,
    "ValidationException",
    "Input is too long for requested model.",
    "context_length_exceeded",
    undefined,
  ],
  [403, "AccessDeniedException", "You don't have access to the model", "bad_gateway", undefined],
  [424, "ModelErrorException", "The model failed", "bad_gateway", undefined],
  [408, "ModelTimeoutException", "The model took too long", "bad_gateway", undefined],
])("%d %s: %s is %s", (status, type, message, code, answered) => {
  const fault = refused(status, type, message);
  expect([String(fault.code), fault.details.status]).toEqual([code, answered]);
});

test("a failing model is not mistaken for a refusal of the operator's key", () => {
  expect(refused(424, "ModelErrorException", "Oops").message).toBe(
    "The upstream provider failed (424): Oops",
  );
  expect(refused(403, "UnrecognizedClientException", "The key AKIDEXAMPLE is odd").message).toBe(
    "The upstream provider refused this gateway.",
  );
});

test("the header is ignored for other providers", () => {
  const { cloud: _, ...own } = provider;
  const headers = new Headers({ "x-amzn-errortype": "ServiceQuotaExceededException" });
  const fault = anthropicDialect.refuse(own, 400, JSON.stringify({ message: "m" }), headers);
  expect(fault.code).toBe("upstream_rejected");
});
