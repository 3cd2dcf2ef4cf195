// A refusal as the console reads it: its class, its code, and exactly the details it has.
import { expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { faultData, refusalOf } from "./present-fault.ts";

test("a refusal without details shows none", () => {
  const fault = new Fault("throttled", "Too many attempts.");
  expect(faultData(fault, "req_1")).toStrictEqual({
    code: "TOO_MANY_REQUESTS",
    httpStatus: 429,
    fault: "throttled",
    requestId: "req_1",
  });
});

test("each detail is shown by its own name", () => {
  const details = { param: "amountUsd", metadata: { min_usd: "5" }, retryAfterMs: 2_000 };
  const fault = new Fault("decimal_below_min_value", "The minimum you can add is $5.", details);
  expect(faultData(fault, "req_2")).toStrictEqual({
    code: "BAD_REQUEST",
    httpStatus: 400,
    fault: "decimal_below_min_value",
    ...details,
    requestId: "req_2",
  });
});

test("a request refused before any procedure gets the same shape as one refused by it", () => {
  const { status, body } = refusalOf(new Fault("cross_site_request", "Not ours."), "req_3");
  expect(status).toBe(403);
  expect(body).toMatchObject({
    error: {
      message: "Not ours.",
      code: expect.any(Number),
      data: { code: "FORBIDDEN", httpStatus: 403, fault: "cross_site_request" },
    },
  });
});
