// Maps an upstream's refusal to the Fault a caller reads: the kind of refusal, with the upstream's
// message if it is about the request, and never its view of the operator's own account.

import { Fault, type FaultDetails, type JsonObject, type UpstreamRefusal } from "@turnpike/base";
import { secretsOf } from "../credentials/credential.ts";
import type { Provider } from "../provider.ts";
import { isKnownTooLong, isTooLong } from "./is-too-long.ts";
import { parseErrorBody, parseErrorObject, type UpstreamError } from "./parse-error-body.ts";
import { refusesGateway } from "./refuses-gateway.ts";
import { scrubMessage } from "./scrub-message.ts";

/** Statuses that are about the request itself, so that the caller can fix it. */
const passedOn: ReadonlySet<number> = new Set([400, 404, 409, 413, 422]);
const rateLimited: ReadonlySet<number> = new Set([429, 498]);
/** 529 is Anthropic's `overloaded_error`, which some OpenAI-compatible services send as well. */
const overloaded: ReadonlySet<number> = new Set([503, 529]);
/** Timeouts and failures of a model, which AWS reports below 500. */
const failedBelow500: ReadonlySet<number> = new Set([408, 424]);
/** Statuses with which upstreams report a prompt that is too long. */
const maybeTooLong: ReadonlySet<number> = new Set([400, 403, 413, 422]);
/** vLLM and llama.cpp behind a proxy, and older versions of both. */
const failedOnLength: ReadonlySet<number> = new Set([500, 502]);

/** What LangChain and Cline search for to recognize an overflow. */
const tooLongKnown = /context_length_exceeded|maximum context length|exceeds the context window/i;
const filterCodes =
  /^(?:content_filter|(?:image_)?content_policy_violation|responsible_ai_policy_violation|bio_policy|cyber_policy)$/;

/** What callers read, whatever the provider says about its customer, the operator. */
const gatewayRefused = {
  account: "The upstream provider refused this gateway.",
  model: "The upstream provider does not serve this model to this gateway.",
} as const satisfies Record<UpstreamRefusal, string>;

/** HTTP's two date formats that name GMT, and C's `asctime`, which is implicitly GMT. */
const httpDate = /^[A-Z][a-z]{2,8}, \d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/;
const asctimeDate = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/**
 * The wait an upstream asks for, in milliseconds: `retry-after-ms`, else `retry-after` in seconds or as
 * an HTTP date (RFC 9110 10.2.3), else what the body says. Clamped to 1–60 s, which every SDK obeys; a
 * wait that is missing or unreadable is 1 s.
 */
export function parseRetryAfterMs(
  headers: Headers,
  error?: Pick<UpstreamError, "retryAfterMs">,
  now: number = Date.now(),
): number {
  return Math.min(Math.max(parseNamedWaitMs(headers, error, now) ?? 0, 1000), 60_000);
}

/** The same wait unclamped; undefined if there was none, or if it has passed. */
function parseNamedWaitMs(
  headers: Headers,
  error?: Pick<UpstreamError, "retryAfterMs">,
  now: number = Date.now(),
): number | undefined {
  const text = headers.get("retry-after")?.trim() ?? "";
  const candidates = [
    parseNumber(headers.get("retry-after-ms")),
    parseNumber(text) * 1000,
    parseHttpDate(text) - now,
    error?.retryAfterMs ?? Number.NaN,
  ];
  const wanted = candidates.find((ms) => !Number.isNaN(ms));
  return wanted !== undefined && wanted > 0 ? wanted : undefined;
}

function parseNumber(text: string | null): number {
  return text === null || text.trim() === "" ? Number.NaN : Number(text);
}

function parseHttpDate(text: string): number {
  if (httpDate.test(text)) return Date.parse(text);
  return asctimeDate.test(text) ? Date.parse(`${text} GMT`) : Number.NaN;
}

/** The Fault for a refusal already read; `status` is the answer's, or what its body names. */
export function refuseError(
  provider: Provider,
  status: number,
  error: UpstreamError,
  headers: Headers,
): Fault {
  const message = scrubMessage(error.message ?? "", secretsOf(provider.credential));
  const cause = new Error(`${provider.id} answered ${status}: ${message || "no message"}`);
  const said = message === "" ? {} : { upstreamText: message };
  const record = { cause, upstreamStatus: status, ...said };
  const about = (param: string | undefined): FaultDetails =>
    param && /^[\w.[\]-]{1,128}$/.test(param) ? { ...record, param } : record;

  if (refusesLength(status, error)) {
    const why = message || `The upstream provider refused the request (${status}).`;
    const wording = tooLongKnown.test(why) ? why : `context_length_exceeded: ${why}`;
    return new Fault("context_length_exceeded", wording, about(error.param ?? "messages"));
  }
  if (status < 500 && (filterCodes.test(error.code ?? "") || filterCodes.test(error.type ?? ""))) {
    const wording = message || "The upstream provider's content filter refused this request.";
    return new Fault("content_filter", wording, about(error.param ?? "prompt"));
  }
  const upstreamRefuses = refusesGateway(status, error);
  if (upstreamRefuses !== undefined) {
    return new Fault("bad_gateway", gatewayRefused[upstreamRefuses], {
      ...record,
      upstreamRefuses,
    });
  }
  if (rateLimited.has(status) || (status === 413 && error.code === "rate_limit_exceeded")) {
    const retryAfterMs = parseRetryAfterMs(headers, error);
    const upstreamWaitMs = parseNamedWaitMs(headers, error);
    const wording = "The upstream provider is rate limited. Please try again later.";
    const waits = { retryAfterMs, upstreamWaitMs };
    return new Fault("upstream_rate_limited", wording, { ...record, ...waits, status: 429 });
  }
  if (overloaded.has(status)) {
    const retryAfterMs = parseRetryAfterMs(headers, error);
    const state = "The upstream provider is overloaded or unavailable";
    const wording = message === "" ? `${state}. Please try again later.` : `${state}: ${message}`;
    return new Fault("upstream_overloaded", wording, { ...record, retryAfterMs });
  }
  if (passedOn.has(status)) {
    const wording = message || `The upstream provider refused the request (${status}).`;
    return new Fault("upstream_rejected", wording, { ...about(error.param), status });
  }
  return new Fault("bad_gateway", badGatewayWording(status, message), record);
}

/** The Fault for an answer with `status` and `body`; the body may be of any shape. */
export function refuse(provider: Provider, status: number, body: string, headers: Headers): Fault {
  return refuseError(provider, status, parseErrorBody(body), headers);
}

/** The Fault for an error inside a 200 with `headers`: the status is the one the error itself names or implies. */
export function refusedInside(source: JsonObject, provider: Provider, headers: Headers): Fault {
  const error = parseErrorObject(source);
  return refuseError(provider, error.status ?? (isTooLong(error) ? 400 : 502), error, headers);
}

/** The Fault for the same inside a stream: it keeps its own status only while nothing has been delivered. */
export function afterDelivery(fault: Fault, delivered: boolean): Fault {
  if (!delivered || fault.code === "bad_gateway") return fault;
  const { upstreamStatus, upstreamText } = fault.details;
  return new Fault("bad_gateway", fault.message, {
    cause: fault,
    ...(upstreamStatus !== undefined && { upstreamStatus }),
    ...(upstreamText !== undefined && { upstreamText }),
  });
}

/** For a 200 that is not an answer of the dialect's service. */
export function unreadable(): Fault {
  return new Fault("bad_gateway", "The upstream provider sent an unreadable answer.");
}

/** For an event of a stream. */
export function notJson(): Fault {
  return new Fault("bad_gateway", "The upstream provider sent an event that is not JSON.");
}

/** For a 200 with one body instead of a stream. */
export function unstreamed(): Fault {
  return new Fault("bad_gateway", "The upstream provider did not stream its answer.");
}

/** For a connection that ended before its answer. */
export function endedEarly(): Fault {
  return new Fault("bad_gateway", "The upstream provider ended its answer before it was complete.");
}

/** For an answer that ended too early; `native` says why in the provider's own words. */
export function brokenOff(native?: string): Fault {
  const why = native === undefined ? "" : ` (${native})`;
  const said = native === undefined ? {} : { upstreamText: native };
  return new Fault("bad_gateway", `The upstream provider broke off its answer${why}.`, said);
}

/** A 413 that says nothing (Cerebras, and proxies) asks for a shorter prompt as well. */
function refusesLength(status: number, error: UpstreamError): boolean {
  if (failedOnLength.has(status)) return isKnownTooLong(error);
  const isSilent = error.message === undefined && error.code === undefined;
  return maybeTooLong.has(status) && (isTooLong(error) || (status === 413 && isSilent));
}

/** 401, 402 and 403 are about the operator's key and balance, which are not shown to callers. */
function badGatewayWording(status: number, message: string): string {
  if (status < 500 && !failedBelow500.has(status)) return gatewayRefused.account;
  return message === ""
    ? `The upstream provider failed (${status}).`
    : `The upstream provider failed (${status}): ${message}`;
}
