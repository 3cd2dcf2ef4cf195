import { expect, test } from "bun:test";
import { Fault, type FaultCode, type FaultDetails } from "@turnpike/base";
import { answerForFault, errorEvent } from "./fault-answer.ts";

const answer = (code: FaultCode, details?: FaultDetails) =>
  answerForFault(new Fault(code, "Sentence.", details));

test.each<[FaultCode, number, string, string | null]>([
  ["missing_api_key", 401, "invalid_request_error", null],
  ["invalid_api_key", 401, "invalid_request_error", "invalid_api_key"],
  ["key_expired", 401, "invalid_request_error", "key_expired"],
  ["insufficient_quota", 402, "insufficient_quota", "insufficient_quota"],
  ["key_limit_reached", 402, "insufficient_quota", "insufficient_quota"],
  ["budget_reached", 402, "insufficient_quota", "insufficient_quota"],
  ["account_frozen", 402, "insufficient_quota", "insufficient_quota"],
  ["model_not_allowed", 403, "permission_error", "permission_denied"],
  ["model_not_found", 404, "invalid_request_error", "model_not_found"],
  ["unknown_url", 404, "invalid_request_error", "unknown_url"],
  ["method_not_supported", 405, "invalid_request_error", "method_not_supported"],
  ["request_timeout", 408, "invalid_request_error", "request_timeout"],
  ["invalid_json", 400, "invalid_request_error", null],
  ["malformed_request", 400, "invalid_request_error", null],
  ["invalid_value", 400, "invalid_request_error", "invalid_value"],
  ["invalid_image", 400, "invalid_request_error", "invalid_image"],
  ["request_too_large", 413, "invalid_request_error", "request_too_large"],
  ["unsupported_media_type", 415, "invalid_request_error", "unsupported_media_type"],
  ["rate_limit_exceeded", 429, "requests", "rate_limit_exceeded"],
  ["internal_error", 500, "server_error", "internal_error"],
  ["bad_gateway", 502, "upstream_error", "bad_gateway"],
  ["overloaded", 503, "server_error", "overloaded"],
  ["upstream_overloaded", 503, "server_error", "overloaded"],
  ["upstream_timeout", 504, "timeout_error", "upstream_timeout"],
])("%s is %i %s %s", (code, status, type, shown) => {
  const given = answer(code, { param: "a[0].b" });
  expect(given.status).toBe(status);
  expect(given.body).toMatchObject({ error: { type, code: shown, param: "a[0].b" } });
});

test("a lack of money is final for the SDKs and says what was needed", () => {
  const { headers, body } = answer("insufficient_quota", {
    metadata: { needed_usd: "0.5", available_usd: "0.1" },
  });
  expect(headers["x-should-retry"]).toBe("false");
  expect(headers["retry-after"]).toBeUndefined();
  expect(body).toEqual({
    error: {
      message: "Sentence.",
      type: "insufficient_quota",
      param: null,
      code: "insufficient_quota",
      metadata: { limit_source: "account_balance", needed_usd: "0.5", available_usd: "0.1" },
    },
  });
});

test.each([
  [0, "1", "1"],
  [6, "1", "6"],
  [1_001, "2", "1001"],
  [3_600_000, "60", "60000"],
  [undefined, "1", "1000"],
])("a wait of %p ms is sent as %s s and %s ms", (retryAfterMs, seconds, ms) => {
  const details = retryAfterMs === undefined ? {} : { retryAfterMs };
  const { headers, body } = answer("rate_limit_exceeded", details);
  expect(headers["retry-after"]).toBe(seconds);
  expect(headers["retry-after-ms"]).toBe(ms);
  expect(headers["x-should-retry"]).toBe("true");
  const message = `Sentence. Please try again in ${seconds}s.`;
  expect(body).toMatchObject({ error: { message } });
});

test("the allowed methods are in the header, not in the body", () => {
  const { headers, body } = answer("method_not_supported", {
    metadata: { allow: ["GET", "HEAD"] },
  });
  expect(headers.allow).toBe("GET, HEAD");
  expect(JSON.stringify(body)).not.toContain("metadata");
});

test("an upstream's status is passed on, unless it would blame the caller's key", () => {
  expect(answer("upstream_rejected", { status: 422 }).status).toBe(422);
  expect(answer("bad_gateway", { status: 401 }).status).toBe(502);
  expect(answer("bad_gateway", { status: 403 }).status).toBe(502);
  expect(answer("bad_gateway", { status: 200 }).status).toBe(502);
});

test("a retry that would be billed again is forbidden, and no wait is named for it", () => {
  expect(answer("overloaded", { retryAfterMs: 5_000 }).headers).toMatchObject({
    "x-should-retry": "true",
    "retry-after": "5",
  });
  const { headers } = answer("overloaded", { retryAfterMs: 5_000, shouldRetry: false });
  expect(headers["x-should-retry"]).toBe("false");
  expect(headers["retry-after"]).toBeUndefined();
  expect(headers["retry-after-ms"]).toBeUndefined();
});

test("a cause is never shown", () => {
  const shown = JSON.stringify(answer("internal_error", { cause: new Error("secret") }));
  expect(shown).not.toContain("secret");
});

test("in a stream the refusal is one data event of one line", () => {
  const text = errorEvent(new Fault("bad_gateway", "Two\nlines."));
  expect(text).toMatch(/^data: \{.*\}\n\n$/);
  expect(JSON.parse(text.slice(6))).toMatchObject({ error: { message: "Two\nlines." } });
});
