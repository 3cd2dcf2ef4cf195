// Every error of `/v1`: its status, the code in its body, what it means and what to do. The only place where these
// are explained: the docs list them from here, and so do Logs and Usage.
import type { faultStatus } from "@turnpike/wire";

type ApiError = {
  readonly group: "request" | "access" | "money" | "missing" | "ours";
  readonly status: number;
  /** In the body of the response; null if it has none. */
  readonly code: string | null;
  readonly meaning: string;
  readonly fix?: string;
};

const correctField = "Correct the field; `param` names it.";
const useRange = "Use the range in the message.";
const tooLarge = ["A number was larger than allowed.", useRange] as const;
const tooSmall = ["A number was smaller than allowed.", useRange] as const;
const useLength = "Use a length that the message allows.";
const tryAgain = "Try again in a moment.";
const tryLater = "Try again, or use another model.";

function request(code: string | null, meaning: string, fix: string, status = 400): ApiError {
  return { group: "request", status, code, meaning, fix };
}

function access(status: number, code: string | null, meaning: string, fix: string): ApiError {
  return { group: "access", status, code, meaning, fix };
}

function money(status: number, code: string, meaning: string, fix: string): ApiError {
  return { group: "money", status, code, meaning, fix };
}

function missing(status: number, code: string, meaning: string, fix: string): ApiError {
  return { group: "missing", status, code, meaning, fix };
}

function ours(status: number, code: string, meaning: string, fix?: string): ApiError {
  return { group: "ours", status, code, meaning, ...(fix !== undefined && { fix }) };
}

/** By the name that records have, which says more than the code in the response. */
export const apiErrors = {
  invalid_json: request(null, "The body was not valid JSON.", "Correct the body."),
  malformed_request: request(null, "The request could not be read.", "See the message."),
  invalid_type: request("invalid_type", "A field had the wrong type.", correctField),
  invalid_value: request("invalid_value", "A field had a value that is not allowed.", correctField),
  missing_required_parameter: request(
    "missing_required_parameter",
    "A required field was missing.",
    "Add the field; `param` names it.",
  ),
  integer_above_max_value: request("integer_above_max_value", ...tooLarge),
  integer_below_min_value: request("integer_below_min_value", ...tooSmall),
  decimal_above_max_value: request("decimal_above_max_value", ...tooLarge),
  decimal_below_min_value: request("decimal_below_min_value", ...tooSmall),
  string_above_max_length: request("string_above_max_length", "A string was too long.", useLength),
  string_below_min_length: request("string_below_min_length", "A string was too short.", useLength),
  array_above_max_length: request(
    "array_above_max_length",
    "An array had too many items.",
    useLength,
  ),
  empty_array: request("empty_array", "An array was empty.", "Add at least one item."),
  unknown_parameter: request(
    "unknown_parameter",
    "The request had an unknown field.",
    "Remove the field.",
  ),
  unsupported_parameter: request(
    "unsupported_parameter",
    "The model does not support one of the fields.",
    "Remove the field; `param` names it.",
  ),
  unsupported_value: request(
    "unsupported_value",
    "The model does not support one of the values.",
    "Use another value, or another model.",
  ),
  context_length_exceeded: request(
    "context_length_exceeded",
    "The messages exceed the model's context window.",
    "Send fewer or shorter ones.",
  ),
  content_filter: request(
    "content_filter",
    "The model's provider refused the content.",
    "Change the prompt.",
  ),
  upstream_rejected: request(
    "upstream_rejected",
    "The model's provider refused the request.",
    "See the message, which says why.",
  ),
  request_timeout: request(
    "request_timeout",
    "The request body took too long to arrive.",
    "Send it again.",
    408,
  ),
  request_too_large: request(
    "request_too_large",
    "The body was larger than allowed.",
    "Send smaller images or files.",
    413,
  ),
  unsupported_media_type: request(
    "unsupported_media_type",
    "The body was not sent as JSON.",
    "Send it with `Content-Type: application/json`.",
    415,
  ),

  missing_api_key: access(
    401,
    null,
    "No API key was sent.",
    "Send `Authorization: Bearer` and a key.",
  ),
  unauthenticated: access(401, null, "The session has ended.", "Sign in again."),
  wrong_credentials: access(401, null, "The email or password was wrong.", "Sign in again."),
  invalid_api_key: access(
    401,
    "invalid_api_key",
    "The API key is wrong or revoked.",
    "Create a key under API Keys.",
  ),
  key_disabled: access(
    401,
    "invalid_api_key",
    "The API key is disabled.",
    "Enable it under API Keys.",
  ),
  key_expired: access(401, "key_expired", "The API key has expired.", "Create another key."),
  permission_denied: access(
    403,
    "permission_denied",
    "The API key is not allowed to do this.",
    "Use a key that has the permission.",
  ),
  model_not_allowed: access(
    403,
    "permission_denied",
    "The API key, its project or the account is not allowed to use this model.",
    "Use another model, or change the guardrail.",
  ),
  address_not_allowed: access(
    403,
    "permission_denied",
    "The API key, its project or the account is not allowed from this address.",
    "Change the allowed addresses.",
  ),
  guardrail_blocked: access(
    403,
    "permission_denied",
    "A guardrail of the account, the project or the key does not allow it.",
    "See `metadata.rule`.",
  ),
  cross_site_request: access(
    403,
    "permission_denied",
    "The request came from another site.",
    "Send it from this one.",
  ),
  email_not_verified: access(
    403,
    "email_not_verified",
    "The email address is not verified.",
    "Open the link in our email.",
  ),
  step_up_required: access(
    403,
    "step_up_required",
    "The console needs you to confirm who you are.",
    "Sign in again there.",
  ),
  second_factor_required: access(
    403,
    "permission_denied",
    "The organization requires a second factor in the console.",
    "Add one under Settings, Security.",
  ),
  account_suspended: access(
    403,
    "account_suspended",
    "The account was suspended.",
    "Write to support.",
  ),

  insufficient_quota: money(
    402,
    "insufficient_quota",
    "The balance was too low for this request.",
    "Add funds.",
  ),
  key_limit_reached: money(
    402,
    "insufficient_quota",
    "The API key had reached its spend limit.",
    "Raise the limit, or wait until it resets.",
  ),
  budget_reached: money(
    402,
    "insufficient_quota",
    "A budget of the account, the project or the member had been reached.",
    "Raise the budget, or wait until it resets.",
  ),
  account_frozen: money(
    402,
    "insufficient_quota",
    "The account was frozen after a refund or dispute.",
    "Add funds.",
  ),
  rate_limit_exceeded: money(
    429,
    "rate_limit_exceeded",
    "Too many requests or tokens for a rate limit of the API key, its project or the account.",
    "Slow down and try again.",
  ),
  throttled: money(429, "rate_limit_exceeded", "Too many tries in a short time.", tryAgain),
  upstream_rate_limited: money(
    429,
    "rate_limit_exceeded",
    "The model's provider was too busy.",
    tryAgain,
  ),

  model_not_found: missing(
    404,
    "model_not_found",
    "There is no model with this name.",
    "See Models for the list.",
  ),
  no_endpoints: missing(
    404,
    "no_endpoints",
    "No provider of the model satisfies the routing preferences of the request.",
    "Relax `provider` or `models`.",
  ),
  generation_not_found: missing(
    404,
    "generation_not_found",
    "There is no such request in this account.",
    "Check the ID.",
  ),
  not_found: missing(404, "not_found", "There is no such thing in this account.", "Check the ID."),
  unknown_url: missing(
    404,
    "unknown_url",
    "There is no such path.",
    "Check the base URL, which ends in `/v1`.",
  ),
  method_not_supported: missing(
    405,
    "method_not_supported",
    "The path does not have this method.",
    "See the `allow` header.",
  ),
  conflict: missing(409, "conflict", "It was changed or used in the meantime.", "Read it again."),
  token_expired: missing(
    400,
    "token_expired",
    "The link has expired or was used.",
    "Request another.",
  ),

  client_closed_request: ours(
    499,
    "client_closed_request",
    "The client closed the connection early.",
  ),
  internal_error: ours(500, "internal_error", "Something went wrong on our side."),
  bad_gateway: ours(
    502,
    "bad_gateway",
    "The model's provider failed or could not be reached.",
    tryLater,
  ),
  upstream_overloaded: ours(503, "overloaded", "The model's provider was overloaded.", tryAgain),
  overloaded: ours(503, "overloaded", "We were too busy to accept the request.", tryAgain),
  shutting_down: ours(503, "shutting_down", "The server was restarting.", "Try again."),
  model_unavailable: ours(
    503,
    "model_unavailable",
    "The model was switched off at the moment.",
    "Use another one, or try again later.",
  ),
  maintenance: ours(503, "maintenance", "We were doing maintenance.", "Try again later."),
  database_unavailable: ours(503, "database_unavailable", "Our database was away.", tryAgain),
  clock_wrong: ours(503, "clock_wrong", "The clock of our server was wrong.", tryAgain),
  upstream_timeout: ours(
    504,
    "upstream_timeout",
    "The model's provider did not answer in time.",
    tryLater,
  ),
} as const satisfies Record<keyof typeof faultStatus, ApiError>;
