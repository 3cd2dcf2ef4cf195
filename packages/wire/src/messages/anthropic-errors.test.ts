import { describe, expect, test } from "bun:test";
import { Fault, type FaultCode, type FaultDetails, faultCodes } from "@turnpike/base";
import { anthropicErrorEvent, anthropicErrors } from "./anthropic-errors.ts";

const answerFor = (code: FaultCode, details?: FaultDetails, sentence = "Sentence.") =>
  anthropicErrors.answer(new Fault(code, sentence, details), "req_1");
const messageOf = (code: FaultCode, details?: FaultDetails, sentence?: string) =>
  (answerFor(code, details, sentence).body.error as { message: string }).message;

describe("every refusal has Anthropic's status and type", () => {
  test.each<[FaultCode, number, string]>([
    ["invalid_value", 400, "invalid_request_error"],
    ["invalid_api_key", 401, "authentication_error"],
    ["insufficient_quota", 402, "billing_error"],
    ["model_not_allowed", 403, "permission_error"],
    ["model_not_found", 404, "not_found_error"],
    ["method_not_supported", 405, "invalid_request_error"],
    ["request_timeout", 408, "timeout_error"],
    ["request_too_large", 413, "request_too_large"],
    ["rate_limit_exceeded", 429, "rate_limit_error"],
    ["internal_error", 500, "api_error"],
    ["bad_gateway", 502, "api_error"],
    ["upstream_timeout", 504, "timeout_error"],
    ["upstream_overloaded", 529, "overloaded_error"],
    ["overloaded", 529, "overloaded_error"],
    ["shutting_down", 529, "overloaded_error"],
  ])("%s is %d %s", (code, status, type) => {
    const { body, ...answered } = answerFor(code);
    expect(answered.status).toBe(status);
    expect(anthropicErrors.statusOf(new Fault(code, ""))).toBe(status);
    expect(body).toMatchObject({ type: "error", error: { type }, request_id: "req_1" });
    expect(answered.headers["request-id"]).toBe("req_1");
  });

  test("no other member is in the body, for any fault", () => {
    for (const code of faultCodes) {
      const { body } = answerFor(code, { metadata: { needed_usd: "1" } });
      expect(Object.keys(body)).toEqual(["type", "error", "request_id"]);
      expect(Object.keys(body.error as object)).toEqual(["type", "message"]);
    }
  });
});

test("the wait of a busy upstream is in the headers that Anthropic's SDKs obey", () => {
  for (const code of ["upstream_rate_limited", "upstream_overloaded"] as const) {
    const { headers } = answerFor(code, { retryAfterMs: 7_000 });
    expect(headers).toMatchObject({ "retry-after": "7", "x-should-retry": "true" });
  }
});

test("the message names the field if it did not, and says that a prompt is too long as Anthropic does", () => {
  expect(messageOf("invalid_value", { param: "top_k" }, "Not that.")).toBe("top_k: Not that.");
  expect(messageOf("invalid_value", { param: "top_k" }, "Bad 'top_k'.")).toBe("Bad 'top_k'.");
  expect(messageOf("context_length_exceeded")).toBe("prompt is too long: Sentence.");
  expect(messageOf("missing_api_key")).toStartWith("x-api-key header is required");
});

test("inside a stream it is an event of that name", () => {
  const text = anthropicErrorEvent(new Fault("upstream_overloaded", "Two\nlines."), "req_1");
  expect(text).toMatch(/^event: error\ndata: \{.*\}\n\n$/);
  expect(JSON.parse(text.split("data: ")[1] ?? "")).toMatchObject({
    error: { type: "overloaded_error" },
  });
});
