// Translates each Fault to tRPC. A code without a row does not compile; anything that is not a Fault
// shows none of its own text.

import { TRPCError } from "@trpc/server";
import { Fault, type FaultCode } from "@turnpike/base";
import { faultOfThrown, isLockConflict } from "@turnpike/db";
import { ZodError, type z } from "zod";

type TrpcCode = TRPCError["code"];

const trpcCodes = {
  invalid_json: "PARSE_ERROR",
  invalid_type: "BAD_REQUEST",
  invalid_value: "BAD_REQUEST",
  missing_required_parameter: "BAD_REQUEST",
  integer_above_max_value: "BAD_REQUEST",
  integer_below_min_value: "BAD_REQUEST",
  decimal_above_max_value: "BAD_REQUEST",
  decimal_below_min_value: "BAD_REQUEST",
  string_above_max_length: "BAD_REQUEST",
  string_below_min_length: "BAD_REQUEST",
  array_above_max_length: "BAD_REQUEST",
  empty_array: "BAD_REQUEST",
  unknown_parameter: "BAD_REQUEST",
  unsupported_parameter: "BAD_REQUEST",
  unsupported_value: "BAD_REQUEST",
  unsupported_media_type: "UNSUPPORTED_MEDIA_TYPE",
  invalid_image: "BAD_REQUEST",
  invalid_audio: "BAD_REQUEST",
  request_too_large: "PAYLOAD_TOO_LARGE",
  request_timeout: "TIMEOUT",
  context_length_exceeded: "BAD_REQUEST",
  previous_response_not_found: "BAD_REQUEST",
  malformed_request: "BAD_REQUEST",

  missing_api_key: "UNAUTHORIZED",
  invalid_api_key: "UNAUTHORIZED",
  key_expired: "UNAUTHORIZED",
  key_disabled: "UNAUTHORIZED",
  permission_denied: "FORBIDDEN",
  model_not_allowed: "FORBIDDEN",
  address_not_allowed: "FORBIDDEN",
  guardrail_blocked: "FORBIDDEN",
  unauthenticated: "UNAUTHORIZED",
  // Not 401: that would send a person who is signed in back to the login page.
  wrong_credentials: "BAD_REQUEST",
  email_not_verified: "FORBIDDEN",
  step_up_required: "FORBIDDEN",
  second_factor_required: "FORBIDDEN",
  cross_site_request: "FORBIDDEN",

  insufficient_quota: "PAYMENT_REQUIRED",
  key_limit_reached: "PAYMENT_REQUIRED",
  budget_reached: "PAYMENT_REQUIRED",
  account_frozen: "FORBIDDEN",
  account_suspended: "FORBIDDEN",
  rate_limit_exceeded: "TOO_MANY_REQUESTS",
  throttled: "TOO_MANY_REQUESTS",

  not_found: "NOT_FOUND",
  model_not_found: "NOT_FOUND",
  model_unavailable: "SERVICE_UNAVAILABLE",
  no_endpoints: "NOT_FOUND",
  generation_not_found: "NOT_FOUND",
  unknown_url: "NOT_FOUND",
  method_not_supported: "METHOD_NOT_SUPPORTED",
  conflict: "CONFLICT",
  token_expired: "BAD_REQUEST",

  client_closed_request: "CLIENT_CLOSED_REQUEST",
  upstream_rejected: "BAD_GATEWAY",
  content_filter: "BAD_REQUEST",
  bad_gateway: "BAD_GATEWAY",
  upstream_timeout: "GATEWAY_TIMEOUT",
  upstream_rate_limited: "TOO_MANY_REQUESTS",
  upstream_overloaded: "SERVICE_UNAVAILABLE",
  overloaded: "SERVICE_UNAVAILABLE",
  maintenance: "SERVICE_UNAVAILABLE",
  database_unavailable: "SERVICE_UNAVAILABLE",
  clock_wrong: "SERVICE_UNAVAILABLE",
  shutting_down: "SERVICE_UNAVAILABLE",
  internal_error: "INTERNAL_SERVER_ERROR",
} satisfies Record<FaultCode, TrpcCode>;

/** The same refusal in tRPC's class; the Fault stays its cause. */
export function trpcErrorOf(fault: Fault): TRPCError {
  return new TRPCError({ code: trpcCodes[fault.code], message: fault.message, cause: fault });
}

/** What tRPC itself refuses before a procedure runs. */
const ownRefusals: Readonly<Partial<Record<TrpcCode, readonly [FaultCode, string]>>> = {
  PARSE_ERROR: ["invalid_json", "The body of this request is not valid JSON."],
  BAD_REQUEST: ["malformed_request", "This request could not be understood."],
  NOT_FOUND: ["unknown_url", "There is no such procedure."],
  METHOD_NOT_SUPPORTED: ["method_not_supported", "This procedure is called by another method."],
  UNSUPPORTED_MEDIA_TYPE: ["unsupported_media_type", "Send the body as application/json."],
  PAYLOAD_TOO_LARGE: ["request_too_large", "This request is too large."],
};

/** The Fault in what tRPC caught. A bug becomes `internal_error` and keeps the bug as its cause. */
export function faultOf(error: TRPCError): Fault {
  const { cause } = error;
  if (cause instanceof ZodError) return faultOfInput(cause);
  const own = cause instanceof Fault ? undefined : ownRefusals[error.code];
  if (own !== undefined) return new Fault(own[0], own[1], { cause: error });
  if (isLockConflict(cause)) {
    const message =
      "Another change is still under way. Nothing was changed; try again in a moment.";
    return new Fault("overloaded", message, { cause, retryAfterMs: 2_000 });
  }
  return faultOfThrown(cause ?? error);
}

/** The first thing wrong with an input, with the path of the field. */
export function faultOfInput(error: ZodError): Fault {
  const [issue] = error.issues;
  if (issue === undefined) return new Fault("invalid_value", "This input is not valid.");
  const path = issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys") {
    const [key = ""] = issue.keys;
    const param = (path === "" ? key : `${path}.${key}`).slice(0, paramCharsMax);
    return new Fault("unknown_parameter", `There is no field ${param}.`, { param });
  }
  const [code, message] = describeIssue(issue);
  return new Fault(code, message, path === "" ? {} : { param: path });
}

const paramCharsMax = 100;

function describeIssue(issue: z.core.$ZodIssue): readonly [FaultCode, string] {
  if (issue.code === "invalid_type") return ["invalid_type", `Expected ${issue.expected}.`];
  if (issue.code === "too_big" && issue.origin === "string") {
    return ["string_above_max_length", `Use at most ${issue.maximum} characters.`];
  }
  if (issue.code === "too_small" && issue.origin === "string") {
    return ["string_below_min_length", `Use at least ${issue.minimum} characters.`];
  }
  return ["invalid_value", issue.message];
}
