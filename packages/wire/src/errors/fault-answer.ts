// How `/v1` answers each Fault: status, body and the headers that control the SDKs' own
// retries. A fault code without a row here does not compile.
import type { Fault, FaultCode } from "@turnpike/base";
import { sseData } from "../protocol/sse.ts";

type Row = {
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  /** If the fault itself names none. */
  readonly param?: string;
  /** `x-should-retry`; absent: left to the client's own rule. */
  readonly retry?: boolean;
  /** If the fault itself names no wait. */
  readonly retryAfterMs?: number;
  readonly metadata?: Readonly<Record<string, unknown>>;
};

const request = "invalid_request_error";

const badRequest = <Code extends string | null>(code: Code) =>
  ({ status: 400, type: request, code, retry: false }) as const;
const unknownCaller = <Code extends string | null>(code: Code) =>
  ({ status: 401, type: request, code, retry: false }) as const;
const forbidden = (code: string) =>
  ({ status: 403, type: "permission_error", code, retry: false }) as const;
const nowhere = (code: string) => ({ status: 404, type: request, code, retry: false }) as const;
const unpaid = (limitSource: string) =>
  ({
    status: 402,
    type: "insufficient_quota",
    code: "insufficient_quota",
    retry: false,
    metadata: { limit_source: limitSource },
  }) as const;
const tooFast = {
  status: 429,
  type: "requests",
  code: "rate_limit_exceeded",
  retry: true,
  retryAfterMs: 1_000,
} as const;
const unavailable = {
  status: 503,
  type: "server_error",
  code: "overloaded",
  retry: true,
  retryAfterMs: 1_000,
} as const;

/**
 * OpenAI's status, type and code if it has the case, the others in its style. No money is 402, as
 * at OpenRouter and DeepSeek, because no SDK retries it; OpenAI's 429 for it would be retried.
 */
export const faultStatus = {
  invalid_json: badRequest(null),
  invalid_type: badRequest("invalid_type"),
  invalid_value: badRequest("invalid_value"),
  missing_required_parameter: badRequest("missing_required_parameter"),
  integer_above_max_value: badRequest("integer_above_max_value"),
  integer_below_min_value: badRequest("integer_below_min_value"),
  decimal_above_max_value: badRequest("decimal_above_max_value"),
  decimal_below_min_value: badRequest("decimal_below_min_value"),
  string_above_max_length: badRequest("string_above_max_length"),
  string_below_min_length: badRequest("string_below_min_length"),
  array_above_max_length: badRequest("array_above_max_length"),
  empty_array: badRequest("empty_array"),
  unknown_parameter: badRequest("unknown_parameter"),
  unsupported_parameter: badRequest("unsupported_parameter"),
  unsupported_value: badRequest("unsupported_value"),
  unsupported_media_type: { ...badRequest("unsupported_media_type"), status: 415 },
  invalid_image: badRequest("invalid_image"),
  invalid_audio: badRequest("invalid_audio"),
  previous_response_not_found: badRequest("previous_response_not_found"),
  request_too_large: { ...badRequest("request_too_large"), status: 413 },
  request_timeout: { ...badRequest("request_timeout"), status: 408, retry: true },
  context_length_exceeded: { ...badRequest("context_length_exceeded"), param: "messages" },
  malformed_request: badRequest(null),

  missing_api_key: unknownCaller(null),
  invalid_api_key: unknownCaller("invalid_api_key"),
  key_expired: unknownCaller("key_expired"),
  key_disabled: unknownCaller("invalid_api_key"),
  unauthenticated: unknownCaller(null),
  wrong_credentials: unknownCaller(null),
  permission_denied: forbidden("permission_denied"),
  model_not_allowed: forbidden("permission_denied"),
  address_not_allowed: forbidden("permission_denied"),
  guardrail_blocked: forbidden("permission_denied"),
  email_not_verified: forbidden("email_not_verified"),
  step_up_required: forbidden("step_up_required"),
  second_factor_required: forbidden("permission_denied"),
  cross_site_request: forbidden("permission_denied"),

  insufficient_quota: unpaid("account_balance"),
  key_limit_reached: unpaid("key_limit"),
  budget_reached: unpaid("budget"),
  account_frozen: unpaid("account_balance"),
  account_suspended: forbidden("account_suspended"),
  rate_limit_exceeded: tooFast,
  throttled: tooFast,

  not_found: nowhere("not_found"),
  model_not_found: nowhere("model_not_found"),
  model_unavailable: { ...unavailable, code: "model_unavailable" },
  no_endpoints: nowhere("no_endpoints"),
  generation_not_found: nowhere("generation_not_found"),
  unknown_url: nowhere("unknown_url"),
  method_not_supported: { ...badRequest("method_not_supported"), status: 405 },
  conflict: { ...badRequest("conflict"), status: 409 },
  token_expired: badRequest("token_expired"),

  client_closed_request: { ...badRequest("client_closed_request"), status: 499 },
  upstream_rejected: badRequest("upstream_rejected"),
  content_filter: { ...badRequest("content_filter"), param: "prompt" },
  bad_gateway: { status: 502, type: "upstream_error", code: "bad_gateway" },
  upstream_timeout: { status: 504, type: "timeout_error", code: "upstream_timeout" },
  upstream_rate_limited: tooFast,
  upstream_overloaded: unavailable,
  overloaded: unavailable,
  maintenance: { ...unavailable, code: "maintenance" },
  database_unavailable: { ...unavailable, code: "database_unavailable" },
  clock_wrong: { ...unavailable, code: "clock_wrong" },
  shutting_down: { ...unavailable, code: "shutting_down" },
  internal_error: { status: 500, type: "server_error", code: "internal_error" },
} satisfies Record<FaultCode, Row>;

export type FaultAnswer = {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Readonly<Record<string, unknown>>;
};

/** The status of `answerForFault`, for records and metrics. */
export function statusOfFault(fault: Fault): number {
  return passableStatus(fault.details.status) ?? faultStatus[fault.code].status;
}

/** Status, headers and body for a Fault. `details.metadata.allow` becomes the Allow header. */
export function answerForFault(fault: Fault): FaultAnswer & { readonly body: ErrorBody } {
  const row: Row = faultStatus[fault.code];
  const { allow, ...facts } = { ...row.metadata, ...fault.details.metadata };
  const status = statusOfFault(fault);
  const headers: Record<string, string> = {
    ...fault.details.headers,
    "content-type": "application/json",
  };
  const { shouldRetry } = fault.details;
  const retry = shouldRetry ?? row.retry;
  if (retry !== undefined) headers["x-should-retry"] = String(retry);
  // Clients without support for `x-should-retry` would take any wait as a request to retry.
  const waitMs =
    shouldRetry === false ? undefined : (fault.details.retryAfterMs ?? row.retryAfterMs);
  const wait = waitMs === undefined ? undefined : boundWait(waitMs);
  if (wait) {
    headers["retry-after"] = String(wait.seconds);
    headers["retry-after-ms"] = String(wait.ms);
  }
  if (status === 401) headers["www-authenticate"] = "Bearer";
  if (allow !== undefined) headers.allow = Array.isArray(allow) ? allow.join(", ") : String(allow);
  const body = errorBody({
    message: status === 429 && wait ? withWait(fault.message, wait.seconds) : fault.message,
    type: row.type,
    param: fault.details.param ?? row.param ?? null,
    code: row.code,
    metadata: Object.keys(facts).length > 0 ? facts : undefined,
  });
  return { status, headers, body };
}

/** The same refusal as the last event of a stream whose 200 was already sent. */
export function errorEvent(fault: Fault): string {
  return sseData(JSON.stringify(answerForFault(fault).body));
}

/** An upstream's status; its 401 and 403 are about our key, not the caller's. */
function passableStatus(status: number | undefined): number | undefined {
  if (status === undefined || !Number.isInteger(status)) return undefined;
  return status >= 400 && status <= 599 && status !== 401 && status !== 403 ? status : undefined;
}

/** openai-node 7 waits a minute at most, openai-python does not retry at all above two. */
function boundWait(ms: number): { readonly seconds: number; readonly ms: number } {
  const bounded = Math.min(Math.max(Math.ceil(ms), 1), 60_000);
  return { seconds: Math.ceil(bounded / 1000), ms: bounded };
}

/** LangChain reads the hint from the message, not from the header. */
function withWait(message: string, seconds: number): string {
  return message.includes("Please try again in")
    ? message
    : `${message} Please try again in ${seconds}s.`;
}

export type ErrorView = {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
  /** Facts for programs, such as `needed_usd`; omitted when absent. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
};

export type ErrorBody = { readonly error: ErrorView };

/** The body of every refusal under `/v1`: OpenAI's envelope, always with all four keys. */
export function errorBody(view: ErrorView): ErrorBody {
  const { message, type, param, code, metadata } = view;
  return { error: { message, type, param, code, ...(metadata && { metadata }) } };
}
