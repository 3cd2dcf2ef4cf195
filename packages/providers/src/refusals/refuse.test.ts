import { expect, test } from "bun:test";
import type { FaultCode } from "@turnpike/base";
import { secretsOf } from "../credentials/credential.ts";
import { sampleProvider } from "../dialects/openai/sample-call.fixture.ts";
import { parseRetryAfterMs, refuse, refusedInside } from "./refuse.ts";

const provider = sampleProvider("openai");

function refused(status: number, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const { code, message, details } = refuse(provider, status, text, new Headers(headers));
  return { code, message, status: details.status, param: details.param, details };
}

test("a mistake of the caller keeps its class, message and param", () => {
  const error = { message: "Bad tools", type: "invalid_request_error", param: "tools[0].type" };
  for (const status of [400, 404, 422]) {
    expect(refused(status, { error })).toMatchObject({
      code: "upstream_rejected",
      message: "Bad tools",
      status,
      param: "tools[0].type",
    });
  }
});

test("every shape of error body is recognized", () => {
  const shapes: [unknown, string][] = [
    [{ error: "plain text" }, "plain text"],
    [{ object: "error", message: "flat", type: "x", param: null, code: 3280 }, "flat"],
    [{ code: "Client specified an invalid argument", error: "from xai" }, "from xai"],
    [{ detail: "fastapi" }, "fastapi"],
    [
      { object: "error", message: { detail: [{ loc: ["body", "n"], msg: "Extra inputs" }] } },
      "body.n: Extra inputs",
    ],
    [[{ error: { message: "in a list" } }], "in a list"],
    [
      {
        error: {
          message: "Provider returned error",
          code: 400,
          metadata: { raw: '{"error":{"message":"the cause"}}' },
        },
      },
      "the cause",
    ],
    ["just a sentence", "just a sentence"],
  ];
  for (const [body, message] of shapes) expect(refused(400, body).message).toBe(message);
});

test("a content filter refuses with a status below 500; above, the upstream has failed", () => {
  const error = { message: "Filtered.", code: "content_filter" };
  expect(refused(499, { error }).code).toBe("content_filter");
  expect(refused(500, { error }).code).not.toBe("content_filter");
});

test("a page of HTML is not shown", () => {
  const { message } = refused(502, "<html><body>nginx at 10.0.0.7</body></html>");
  expect(message).toBe("The upstream provider failed (502).");
});

test("the operator's key and balance are never shown to callers", () => {
  const error = {
    message: "Incorrect API key provided: sk-upstr****cdef",
    code: "invalid_api_key",
  };
  for (const status of [401, 402, 403]) {
    expect(refused(status, { error })).toMatchObject({
      code: "bad_gateway",
      message: "The upstream provider refused this gateway.",
    });
  }
});

test("a context overflow is recognized under any status, with the text clients search for", () => {
  const cases: [number, Record<string, unknown>][] = [
    [400, { message: "This model's maximum context length is 8192 tokens", code: null }],
    [400, { message: "Too long", code: "context_length_exceeded" }],
    [413, { message: "prompt is too long: 9 tokens > 8 maximum" }],
    [403, { message: "Input exceeds the model's maximum context" }],
    [422, { message: "the request exceeds the available context size", type: "x" }],
  ];
  for (const [status, error] of cases) {
    const { code, message, param } = refused(status, { error });
    expect([code, param]).toEqual(["context_length_exceeded", "messages"]);
    expect(message).toMatch(/context_length_exceeded|maximum context length|exceeds the context/);
  }
});

test("a content filter keeps its code", () => {
  const error = { message: "The prompt was filtered", code: "content_filter", param: "prompt" };
  expect(refused(400, { error })).toMatchObject({ code: "content_filter", param: "prompt" });
});

test("Azure's content filter is recognized by its inner error too", () => {
  const innererror = {
    code: "ResponsibleAIPolicyViolation",
    content_filter_result: { violence: { filtered: true, severity: "high" } },
  };
  const message = "The response was filtered due to the prompt triggering a policy.";
  for (const code of ["content_filter", null, "BadRequest"]) {
    const error = { message, type: null, param: "prompt", code, status: 400, innererror };
    expect(refused(400, { error })).toMatchObject({
      code: "content_filter",
      message,
      param: "prompt",
    });
  }
});

test("a rate limit is passed on with a clamped wait", () => {
  const waits: [Record<string, string>, number][] = [
    [{ "retry-after": "7" }, 7000],
    [{ "retry-after": "0.2" }, 1000],
    [{ "retry-after": "-1" }, 1000],
    [{ "retry-after": "1e9" }, 60_000],
    [{ "retry-after": "soon" }, 1000],
    [{ "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" }, 1000],
    [{ "retry-after-ms": "2500", "retry-after": "9" }, 2500],
    [{ "retry-after-ms": "", "retry-after": "9" }, 9000],
    [{ "retry-after-ms": "soon", "retry-after": "9" }, 9000],
    [{ "retry-after": "7, 7" }, 1000],
    [{ "retry-after": "2099" }, 60_000],
    [{ "retry-after": "2099-01-01" }, 1000],
    [{ "retry-after": "Wed, 21 Oct 2099 07:28:00 GMT" }, 60_000],
    [{}, 1000],
  ];
  for (const [headers, wait] of waits) {
    expect(parseRetryAfterMs(new Headers(headers))).toBe(wait);
    const limited = refused(429, { error: { message: "slow down" } }, headers);
    expect([limited.code, limited.status]).toEqual(["upstream_rate_limited", 429]);
    expect(limited.details.retryAfterMs).toBe(wait);
    for (const status of [503, 529]) {
      const { code, details } = refused(status, { error: { message: "busy" } }, headers);
      expect([code, details.retryAfterMs]).toEqual(["upstream_overloaded", wait]);
    }
  }
  expect(refused(498, "").code).toBe("upstream_rate_limited");
});

test("a wait is read from each of HTTP's three date formats", () => {
  const now = Date.UTC(2026, 10, 6, 8, 49, 7);
  const dates = [
    "Fri, 06 Nov 2026 08:49:37 GMT",
    "Friday, 06-Nov-26 08:49:37 GMT",
    "Fri Nov  6 08:49:37 2026",
  ];
  for (const date of dates) {
    expect(parseRetryAfterMs(new Headers({ "retry-after": date }), undefined, now)).toBe(30_000);
  }
});

test("a wait in Google's RetryInfo counts if no header names one", () => {
  const type = "type.googleapis.com/google.rpc.RetryInfo";
  const body = (retryDelay: unknown) => [
    { error: { code: 429, message: "Quota", details: [{}, { "@type": type, retryDelay }] } },
  ];
  const waitOf = (retryDelay: unknown, headers = {}) =>
    refused(429, body(retryDelay), headers).details.retryAfterMs;
  expect(waitOf("26.5s")).toBe(26_500);
  expect(waitOf("26s", { "retry-after": "4" })).toBe(4000);
  for (const unreadable of ["soon", 26, null, "-1s"]) expect(waitOf(unreadable)).toBe(1000);
});

test("an overloaded upstream is reported as such, with its message and without our key", () => {
  const named = "The upstream provider is overloaded or unavailable";
  for (const status of [503, 529]) {
    const type = "overloaded_error";
    const error = { type, message: `Overloaded ${secretsOf(provider.credential)[0]}` };
    const { code, message, details } = refused(status, { type: "error", error });
    expect([code, details.upstreamStatus, details.status]).toEqual([
      "upstream_overloaded",
      status,
      undefined,
    ]);
    expect(message).toStartWith(`${named}: Overloaded `);
    expect(message).not.toContain(secretsOf(provider.credential)[0] ?? "?");
    expect(refused(status, "<html>").message).toBe(`${named}. Please try again later.`);
  }
});

test("an error inside a 200 that names a temporary refusal is one, by status or by type", () => {
  const cases: [unknown, FaultCode][] = [
    [{ message: "Overloaded", type: "overloaded_error" }, "upstream_overloaded"],
    [{ message: "Overloaded", code: 529 }, "upstream_overloaded"],
    [{ message: "Unavailable", code: 503, status: "UNAVAILABLE" }, "upstream_overloaded"],
    [{ message: "Slow down", type: "rate_limit_error" }, "upstream_rate_limited"],
    [{ message: "Slow down", code: "rate_limit_exceeded" }, "upstream_rate_limited"],
    [{ message: "Broken", type: "server_error" }, "bad_gateway"],
  ];
  for (const [error, code] of cases) {
    const fault = refusedInside({ error }, provider, new Headers({ "retry-after": "7" }));
    expect(fault.code).toBe(code);
    expect(fault.details.retryAfterMs).toBe(code === "bad_gateway" ? undefined : 7_000);
  }
});

test("an error inside a 200 that is about the request is the caller's, however it is named", () => {
  const invalid = "invalid_request_error";
  const cases: [unknown, FaultCode][] = [
    [{ message: "Bad tool.", type: invalid, param: "tools" }, "upstream_rejected"],
    [{ message: "Flagged.", code: "invalid_prompt" }, "upstream_rejected"],
    [{ message: "Too small.", code: "image_too_small" }, "upstream_rejected"],
    [{ message: "Too long.", code: "context_length_exceeded" }, "context_length_exceeded"],
    [{ message: "maximum context length is 9 tokens" }, "context_length_exceeded"],
    [{ message: "Filtered.", code: "content_filter" }, "content_filter"],
    [{ message: "Filtered.", code: "image_content_policy_violation" }, "content_filter"],
    [{ message: "Pay.", code: "insufficient_quota" }, "bad_gateway"],
    [{ message: "Key.", code: "invalid_api_key", type: invalid }, "bad_gateway"],
    [{ message: "Broken.", code: "server_error", type: "error" }, "bad_gateway"],
  ];
  for (const [error, code] of cases) {
    const fault = refusedInside({ error }, provider, new Headers());
    expect(fault.code).toBe(code);
  }
});

test("failures of the upstream are a bad gateway", () => {
  for (const status of [301, 405, 500, 501, 502, 504, 520, 524]) {
    expect(refused(status, { error: { message: "oops" } }).code).toBe("bad_gateway");
  }
});

test("the operator's log has the upstream's message, or that there was none", () => {
  const causeOf = (body: unknown) => String(refused(500, body).details.cause);
  expect(causeOf({ error: { message: "out of memory" } })).toContain("answered 500: out of memory");
  expect(causeOf("")).toContain("answered 500: no message");
});

test("a request larger than the rate allows is a rate limit, another large one is the caller's", () => {
  const error = { message: "Request too large for 8000 tokens per minute" };
  const rate = refused(413, { error: { ...error, code: "rate_limit_exceeded" } });
  expect([rate.code, rate.status]).toEqual(["upstream_rate_limited", 429]);
  const size = refused(413, { error: { message: "Body too large", code: "too_large" } });
  expect([size.code, size.status]).toEqual(["upstream_rejected", 413]);
  expect(refused(400, { error: { ...error, code: "rate_limit_exceeded" } }).status).toBe(400);
});

test("a refusal without a message still says what happened", () => {
  expect(refused(409, "")).toMatchObject({
    code: "upstream_rejected",
    message: "The upstream provider refused the request (409).",
  });
  expect(refused(400, { error: { code: "content_filter" } })).toMatchObject({
    message: "The upstream provider's content filter refused this request.",
    param: "prompt",
  });
});

test("the shown part of a refusal is bounded in length, in depth and in number", () => {
  const shown = (error: unknown) => refused(400, { error }).message;
  const words = "word ".repeat(400).trim();
  expect(shown({ message: words })).toBe(words.slice(0, 1_000));
  const nested = (depth: number): unknown => (depth === 0 ? "deep" : { detail: nested(depth - 1) });
  const silent = "The upstream provider refused the request (400).";
  expect(shown({ message: nested(5) })).toBe("deep");
  expect(shown({ message: nested(6) })).toBe(silent);
  const mistakes = Array.from({ length: 6 }, (_, n) => ({ msg: `mistake ${n}` }));
  expect(shown({ message: mistakes })).toBe(
    "mistake 0; mistake 1; mistake 2; mistake 3; mistake 4",
  );
  const sentence = "s ".repeat(250);
  expect(refused(400, sentence.trim()).message).toBe(sentence.trim());
  expect(refused(400, `${sentence}longer`).message).toBe(silent);
});
