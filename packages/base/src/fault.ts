// What a caller is shown when a request is refused. Every refusal in Turnpike is a Fault;
// anything else that is thrown is a bug, logged in full and answered "Internal error".

/** Every kind of refusal. Each entry point answers each code (`satisfies Record<FaultCode, …>`). */
export const faultCodes = [
  // the request as sent
  "invalid_json",
  "invalid_type",
  "invalid_value",
  "missing_required_parameter",
  "integer_above_max_value",
  "integer_below_min_value",
  "decimal_above_max_value",
  "decimal_below_min_value",
  "string_above_max_length",
  "string_below_min_length",
  "array_above_max_length",
  "empty_array",
  "unknown_parameter",
  "unsupported_parameter",
  "unsupported_value",
  "unsupported_media_type",
  "invalid_image",
  "invalid_audio",
  "request_too_large",
  "request_timeout",
  "context_length_exceeded",
  "previous_response_not_found",
  "malformed_request",
  // authentication
  "missing_api_key",
  "invalid_api_key",
  "key_expired",
  "key_disabled",
  "permission_denied",
  "model_not_allowed",
  "address_not_allowed",
  "guardrail_blocked",
  "unauthenticated",
  "wrong_credentials",
  "email_not_verified",
  "step_up_required",
  "second_factor_required",
  "cross_site_request",
  // money and limits
  "insufficient_quota",
  "key_limit_reached",
  "budget_reached",
  "account_frozen",
  "account_suspended",
  "rate_limit_exceeded",
  "throttled",
  // routing
  "not_found",
  "model_not_found",
  "model_unavailable",
  "no_endpoints",
  "generation_not_found",
  "unknown_url",
  "method_not_supported",
  "conflict",
  "token_expired",
  // our own failures
  "client_closed_request",
  "upstream_rejected",
  "content_filter",
  "bad_gateway",
  "upstream_timeout",
  "upstream_rate_limited",
  "upstream_overloaded",
  "overloaded",
  "maintenance",
  "database_unavailable",
  "clock_wrong",
  "shutting_down",
  "internal_error",
] as const;

export type FaultCode = (typeof faultCodes)[number];

/** What an upstream refuses of this gateway's own: its account there, or the model its operator offers. */
export type UpstreamRefusal = "account" | "model";

export type FaultDetails = {
  /** Path of the offending field, e.g. `messages[0].content`. */
  readonly param?: string;
  /** Machine-readable facts for the caller, e.g. `needed_usd`. Public. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** How long the caller should wait; sent as whole seconds, at least 1. */
  readonly retryAfterMs?: number;
  /** Overrides whether the code is retryable: false if a retry would be billed again. */
  readonly shouldRetry?: boolean;
  /** The call was charged, or its charge is still queued; run again, it would be charged twice. */
  readonly isCharged?: boolean;
  /** Headers of the `/v1` answer, e.g. `x-ratelimit-*`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A status to pass on instead of the code's own (upstream refusals). */
  readonly status?: number;
  /** What an upstream answered, for the request's row; not shown with the refusal. */
  readonly upstreamStatus?: number;
  /** The upstream's own words. They may repeat the prompt, so they are logged at `trace` only. */
  readonly upstreamText?: string;
  /** Set if it refused this gateway and not the request. Not shown. */
  readonly upstreamRefuses?: UpstreamRefusal;
  /** The wait that an upstream named itself. */
  readonly upstreamWaitMs?: number | undefined;
  /** What the message repeats of the request: shown to the caller, and not stored. */
  readonly quoted?: string;
  /** Not shown to callers. */
  readonly cause?: unknown;
};

/** A refusal the caller may read: `publicMessage` is shown unchanged, `cause` never is. */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly code: FaultCode;
  readonly details: FaultDetails;

  constructor(code: FaultCode, publicMessage: string, details: FaultDetails = {}) {
    super(publicMessage, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.details = details;
  }

  /** The message without what it repeats of the request: that may be part of a prompt. */
  get storedMessage(): string {
    const { quoted } = this.details;
    return quoted === undefined ? this.message : this.message.replace(quoted, () => "…");
  }

  /** The same refusal with more headers. */
  withHeaders(headers: Readonly<Record<string, string>>): Fault {
    const { details } = this;
    const merged = { ...details.headers, ...headers };
    return new Fault(this.code, this.message, { ...details, headers: merged });
  }

  /** The same refusal of a call that was charged. */
  asCharged(): Fault {
    return new Fault(this.code, this.message, { ...this.details, isCharged: true });
  }
}

/** The Fault itself, or an `internal_error` that hides what was thrown but keeps it as cause. */
export function toFault(thrown: unknown): Fault {
  if (thrown instanceof Fault) return thrown;
  return new Fault("internal_error", "Internal error.", { cause: thrown });
}

/** Never sent; it ends the call in our own records and metrics. */
export function clientClosed(): Fault {
  return new Fault("client_closed_request", "The client closed the request.");
}

export function shuttingDown(): Fault {
  return new Fault("shutting_down", "The service is shutting down. Please try again.");
}

/** Which bound of a process was met, as its refusal says it. */
const overloads = {
  eventLoop: "more calls wait to start than it can start",
  hold: "reserving money takes too long",
  charge: "charging calls takes too long",
  ledger: "it cannot charge calls",
  database: "its database did not answer",
  rates: "checking the limits of keys takes too long",
  memory: "its memory is short",
  bodies: "the requests of running calls take all memory set aside for them",
  answers: "the answers of running calls take all memory set aside for them",
  uploads: "the files of running calls take all disk space set aside for them",
  files: "the storage of files does not answer",
  counting: "counting prompts takes all time set aside for it",
  measuring: "measuring audio takes too long",
} as const;

export type OverloadBound = keyof typeof overloads;

/** More waits than this process or its database can serve, or the database did not answer in time. */
export function overloaded(bound: OverloadBound, cause?: unknown): Fault {
  const message = `The service is briefly overloaded: ${overloads[bound]}. Please try again in 2s.`;
  return new Fault("overloaded", message, { retryAfterMs: 2_000, cause });
}

/** The database is known to accept no writes, so nothing was tried. */
export function databaseUnavailable(): Fault {
  return new Fault(
    "database_unavailable",
    "The database of this service is unavailable. Nothing was charged. Please try again in 2s.",
    { retryAfterMs: 2_000 },
  );
}

/** This machine's clock differs from the database's: rows would get wrong times. */
export function clockWrong(): Fault {
  return new Fault(
    "clock_wrong",
    "The clock of this server is wrong, so it accepts no requests. Nothing was charged. Please try again in 2s.",
    { retryAfterMs: 2_000 },
  );
}
