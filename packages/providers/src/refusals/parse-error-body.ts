// Reads the body of an upstream's refusal: every known shape of error body, mapped to one:
// OpenAI's object, a bare string, flat bodies, lists of mistakes, and a nested upstream's own.

import { isObject, type JsonObject, parseObject, parseText } from "@turnpike/base";

export type UpstreamError = {
  readonly message: string | undefined;
  readonly code: string | undefined;
  readonly type: string | undefined;
  readonly param: string | undefined;
  /** Google's name for the cause, of its `ErrorInfo`. */
  readonly reason?: string | undefined;
  /** An HTTP status the body itself names, as errors inside a 200 do. */
  readonly status: number | undefined;
  /** The wait the body names: Google's `RetryInfo` replaces a `Retry-After` header. */
  readonly retryAfterMs?: number | undefined;
};

const nothing: UpstreamError = {
  message: undefined,
  code: undefined,
  type: undefined,
  param: undefined,
  status: undefined,
};

const messageCharsMax = 4_000;
const nameCharsMax = 200;

/** Upstreams echo what customers sent, at any length; only this much of it is read. */
function bound(text: string | undefined, charsMax: number): string | undefined {
  return text?.slice(0, charsMax);
}

/** `[{loc, msg}, …]`, `{detail: …}` and the like, as one message. */
function parseSentence(value: unknown, depth = 0): string | undefined {
  if (typeof value === "string") return parseText(value);
  if (depth > 4) return undefined;
  if (Array.isArray(value)) {
    const parts = value.slice(0, 5).map((entry) => parseSentence(entry, depth + 1));
    return parseText(parts.filter((part) => part !== undefined).join("; "));
  }
  if (!isObject(value)) return undefined;
  const place = Array.isArray(value.loc) ? `${value.loc.join(".")}: ` : "";
  const sentence = parseSentence(value.msg ?? value.message ?? value.detail, depth + 1);
  return sentence === undefined ? undefined : place + sentence;
}

/** What an error says, under every name that it has for it. */
function sentenceOf(error: JsonObject): string | undefined {
  const { message, detail, error: inner, msg, errors, base_resp } = error;
  const usual = message ?? detail ?? inner ?? msg ?? errors;
  const named = usual ?? error.Message ?? error.error_message ?? error.error_msg ?? error.err_msg;
  return parseSentence(named ?? (hasFailed(base_resp) ? base_resp.status_msg : undefined));
}

/** MiniMax has it in every answer and event, with the code 0. */
function hasFailed(baseResponse: unknown): baseResponse is JsonObject {
  return isObject(baseResponse) && Number(baseResponse.status_code) > 0;
}

/** Services that wrap their answers say so of those that succeed. */
function isSuccess(code: unknown): boolean {
  return code === 0 || code === 200 || code === "0" || code === "200";
}

/** Members that only an answer has, or an event of one. */
const answerMembers = [
  "choices",
  "candidates",
  "content",
  "output",
  "data",
  "delta",
  "response",
  "item",
  "part",
  "usage",
  "usageMetadata",
  "promptFeedback",
] as const;

/** `{error}`, or xAI's `{code, error: "text"}`. */
export function hasError({ error }: JsonObject): boolean {
  return error !== undefined && error !== null && error !== false;
}

/** Whether a 200 or an event is an error in place of an answer: it says so, or has a message and nothing of an answer. */
export function isErrorBody(source: JsonObject): boolean {
  if (hasError(source) || source.object === "error") return true;
  if (hasFailed(source.base_resp)) return true;
  if (isSuccess(source.code)) return false;
  for (const name of answerMembers) if ((source[name] ?? undefined) !== undefined) return false;
  return sentenceOf(source) !== undefined;
}

/** OpenAI's and vLLM's types of errors, as in `invalid_request_error` and `BadRequestError`. */
function isErrorName(name: unknown): boolean {
  return typeof name === "string" && name.endsWith("rror");
}

/** Members that only an error has. */
const errorMembers = [
  "detail",
  "errors",
  "error_message",
  "error_msg",
  "error_code",
  "error_type",
] as const;

/** Whether it says that it is an error, and not only something. */
function isMarkedError(source: JsonObject): boolean {
  if (hasError(source) || source.object === "error" || hasFailed(source.base_resp)) return true;
  const { code, type, event, status, status_code, statusCode } = source;
  if ([type, event, status].some(isErrorName) || status === "failed") return true;
  if ([status, status_code, statusCode].some((each) => Number(each) >= 400)) return true;
  if (typeof code === "number" || parseText(code) !== undefined) return !isSuccess(code);
  return errorMembers.some((name) => {
    const member = source[name];
    return Array.isArray(member) ? member.length > 0 : Boolean(member);
  });
}

/** A notice is what proxies report beside an answer, as that it is queued. */
export type EventMeaning = "error" | "notice" | "answer";

/** What an event of a stream is. `isNamedError`: it is an `event: error`. */
export function meaningOf(source: JsonObject, isNamedError: boolean): EventMeaning {
  if (!isErrorBody(source)) return "answer";
  return isNamedError || isMarkedError(source) ? "error" : "notice";
}

/** The same of an event with a type of its own, whose other members may have any name. */
export function meaningOfTyped(source: JsonObject, isNamedError: boolean): EventMeaning {
  const isTyped = typeof source.type === "string" && !isErrorName(source.type);
  if (!isTyped) return meaningOf(source, isNamedError);
  return hasError(source) || source.object === "error" ? "error" : "answer";
}

function parseStatus(...candidates: unknown[]): number | undefined {
  for (const candidate of candidates) {
    const status = typeof candidate === "string" ? Number(candidate) : candidate;
    if (typeof status !== "number" || !Number.isInteger(status)) continue;
    if (status >= 400 && status <= 599) return status;
  }
  return undefined;
}

/** Errors inside a 200 that name their kind only by `code` or `type`. */
const namedStatus = new Map<unknown, number>([
  ["overloaded_error", 529],
  ["rate_limit_error", 429],
  ["rate_limit_exceeded", 429],
  ["insufficient_quota", 429],
  ["billing_not_active", 429],
  ["invalid_api_key", 401],
  ["server_error", 502],
  ["invalid_request_error", 400],
  ["context_length_exceeded", 400],
  ["content_filter", 400],
  ["content_policy_violation", 400],
  ["responsible_ai_policy_violation", 400],
  // OpenAI's `ResponseErrorCode`: what is wrong with the prompt or its images.
  ["invalid_prompt", 400],
  ["bio_policy", 400],
  ["cyber_policy", 400],
  ["image_content_policy_violation", 400],
  ["invalid_image", 400],
  ["invalid_image_format", 400],
  ["invalid_base64_image", 400],
  ["invalid_image_url", 400],
  ["invalid_image_mode", 400],
  ["image_too_large", 400],
  ["image_too_small", 400],
  ["image_parse_error", 400],
  ["image_file_too_large", 400],
  ["image_file_not_found", 400],
  ["unsupported_image_media_type", 400],
  ["empty_image_file", 400],
  ["failed_to_download_image", 400],
]);

/** The code is more precise than the type: OpenAI gives unknown keys the type of an invalid request. */
function statusOf(type: unknown, code: unknown): number | undefined {
  return namedStatus.get(code) ?? namedStatus.get(type);
}

/** `{"@type": "…google.rpc.RetryInfo", "retryDelay": "26s"}` among `details`, in milliseconds. */
function parseRetryDelay(details: unknown): number | undefined {
  if (!Array.isArray(details)) return undefined;
  const delay = details.find((detail) => isObject(detail) && "retryDelay" in detail)?.retryDelay;
  const seconds = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(parseText(delay) ?? "")?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

/** `{"@type": "…google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}` among `details`. */
function parseReason(details: unknown): string | undefined {
  if (!Array.isArray(details)) return undefined;
  const info: unknown = details.find((detail) => isObject(detail) && "reason" in detail);
  return isObject(info) ? bound(parseText(info.reason), nameCharsMax) : undefined;
}

/** Azure's content filter is named in an inner error, whatever the code of the outer one. */
function parseCode(error: JsonObject): string | undefined {
  const { code, innererror } = error;
  const isFiltered = isObject(innererror) && innererror.code === "ResponsibleAIPolicyViolation";
  const { error_code = error.err_code } = error;
  const named = parseText(code) ?? parseText(error_code) ?? parseText(error.error_type);
  return isFiltered ? "content_filter" : bound(named, nameCharsMax);
}

/** Reads the `error` of a body or stream event, or the body itself if that is the error. */
export function parseErrorObject(body: JsonObject): UpstreamError {
  const inner = body.error ?? body;
  if (typeof inner === "string") {
    return {
      ...nothing,
      message: bound(parseText(inner), messageCharsMax),
      code: bound(parseText(body.code), nameCharsMax),
    };
  }
  const outer = Array.isArray(inner) ? inner[0] : inner;
  if (!isObject(outer)) return nothing;
  // Google's list holds bodies, each with an `error` of its own.
  const error = isObject(outer.error) ? outer.error : outer;
  const nested = isObject(error.metadata) ? parseText(error.metadata.raw) : undefined;
  if (nested) {
    const cause = parseErrorBody(nested);
    if (cause.message) return { ...cause, status: parseStatus(error.code, error.status) };
  }
  return {
    message: bound(sentenceOf(error), messageCharsMax),
    code: parseCode(error),
    type: bound(parseText(error.type), nameCharsMax),
    param: bound(parseText(error.param), nameCharsMax),
    reason: parseReason(error.details),
    status:
      parseStatus(error.status, error.status_code, error.statusCode, error.code) ??
      statusOf(error.type, parseCode(error)),
    retryAfterMs: parseRetryDelay(error.details),
  };
}

/** Reads a refused answer's body: JSON of any known shape, or a short plain text. */
export function parseErrorBody(text: string): UpstreamError {
  const trimmed = payloadOf(text.trim());
  const body = parseObject(trimmed.startsWith("[") ? `{"error":${trimmed}}` : trimmed);
  if (body) return parseErrorObject(body);
  const sentence = trimmed.length > 0 && trimmed.length <= 500 && !/[<{[]/.test(trimmed);
  return sentence ? { ...nothing, message: trimmed } : nothing;
}

/** Of a body that is one event, as servers write it for a request for a stream. */
function payloadOf(body: string): string {
  if (!/^(?:data|event):/.test(body)) return body;
  const line = body.split("\n").find((each) => each.startsWith("data:"));
  return line === undefined ? body : line.slice("data:".length).trim();
}
