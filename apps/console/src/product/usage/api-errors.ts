// Every error of `/v1`: its status, the code in its body, what it means and what to do. The only place where these
// are explained: the docs list them from here, and so do Logs and Usage.
import { namesOf } from "../../lib/names-of.ts";

export type ApiError = {
  readonly group: ErrorGroup;
  readonly status: number;
  /** In the body of the response; null if it has none. */
  readonly code: string | null;
  /** What it means, and what to do. */
  readonly text: string;
};

type Named = Readonly<Record<string, string>>;

/** By the name that records have, which says more than the code in the response. */
const texts = {
  request: {
    400: {
      invalid_json: "The body was not valid JSON. Correct the body.",
      malformed_request: "The request could not be read. See the message.",
      invalid_type: "A field had the wrong type. Correct the field; `param` names it.",
      invalid_value:
        "A field had a value that is not allowed. Correct the field; `param` names it.",
      missing_required_parameter: "A required field was missing. Add the field; `param` names it.",
      integer_above_max_value: "A number was larger than allowed. Use the range in the message.",
      integer_below_min_value: "A number was smaller than allowed. Use the range in the message.",
      decimal_above_max_value: "A number was larger than allowed. Use the range in the message.",
      decimal_below_min_value: "A number was smaller than allowed. Use the range in the message.",
      string_above_max_length: "A string was too long. Use a length that the message allows.",
      string_below_min_length: "A string was too short. Use a length that the message allows.",
      array_above_max_length: "An array had too many items. Use a length that the message allows.",
      empty_array: "An array was empty. Add at least one item.",
      unknown_parameter: "The request had an unknown field. Remove the field.",
      unsupported_parameter:
        "The model does not support one of the fields. Remove the field; `param` names it.",
      unsupported_value:
        "The model does not support one of the values. Use another value, or another model.",
      context_length_exceeded:
        "The messages exceed the model's context window. Send fewer or shorter ones.",
      previous_response_not_found:
        "The response to continue was not stored, or has expired. Send the items of the conversation.",
      invalid_image:
        "An image was broken, too large or of a format that is not supported. See the message.",
      invalid_audio:
        "An audio file was broken, too long or of a format that is not supported. See the message.",
      content_filter: "The model's provider refused the content. Change the prompt.",
      upstream_rejected:
        "The model's provider refused the request. See the message, which says why.",
    },
    408: { request_timeout: "The request body took too long to arrive. Send it again." },
    413: {
      request_too_large: "The body was larger than allowed. Send smaller images or files.",
    },
    415: {
      unsupported_media_type:
        "The body was not sent as JSON. Send it with `Content-Type: application/json`.",
    },
  },
  access: {
    401: {
      missing_api_key: "No API key was sent. Send `Authorization: Bearer` and a key.",
      unauthenticated: "The session has ended. Sign in again.",
      wrong_credentials: "The email or password was wrong. Sign in again.",
      invalid_api_key: "The API key is wrong or revoked. Create a key under API Keys.",
      key_disabled: "The API key is disabled. Enable it under API Keys.",
      key_expired: "The API key has expired. Create another key.",
    },
    403: {
      permission_denied:
        "The API key is not allowed to do this. Use a key that has the permission.",
      model_not_allowed:
        "The API key, its project or the account is not allowed to use this model. Use another model, or change the guardrail.",
      address_not_allowed:
        "The API key, its project or the account is not allowed from this address. Change the allowed addresses.",
      guardrail_blocked:
        "A guardrail of the account, the project or the key does not allow it. See `metadata.rule`.",
      cross_site_request: "The request came from another site. Send it from this one.",
      email_not_verified: "The email address is not verified. Open the link in our email.",
      step_up_required: "The console needs you to confirm who you are. Sign in again there.",
      second_factor_required:
        "The organization requires a second factor in the console. Add one under Settings, Security.",
      account_suspended: "The account was suspended. Write to support.",
    },
  },
  money: {
    402: {
      insufficient_quota: "The balance was too low for this request. Add funds.",
      key_limit_reached:
        "The API key had reached its spend limit. Raise the limit, or wait until it resets.",
      budget_reached:
        "A budget of the account, the project or the member had been reached. Raise the budget, or wait until it resets.",
      account_frozen: "The account was frozen after a refund or dispute. Add funds.",
    },
    429: {
      rate_limit_exceeded:
        "Too many requests or tokens for a rate limit of the API key, its project or the account. Slow down and try again.",
      throttled: "Too many tries in a short time. Try again in a moment.",
      upstream_rate_limited: "The model's provider was too busy. Try again in a moment.",
    },
  },
  missing: {
    404: {
      model_not_found: "There is no model with this name. See Models for the list.",
      no_endpoints:
        "No provider of the model satisfies the routing preferences of the request. Relax `provider` or `models`.",
      generation_not_found: "There is no such request in this account. Check the ID.",
      not_found: "There is no such thing in this account. Check the ID.",
      unknown_url: "There is no such path. Check the base URL, which ends in `/v1`.",
    },
    405: { method_not_supported: "The path does not have this method. See the `allow` header." },
    409: { conflict: "It was changed or used in the meantime. Read it again." },
    400: { token_expired: "The link has expired or was used. Request another." },
  },
  ours: {
    499: { client_closed_request: "The client closed the connection early." },
    500: { internal_error: "Something went wrong on our side." },
    502: {
      bad_gateway:
        "The model's provider failed or could not be reached. Try again, or use another model.",
    },
    503: {
      upstream_overloaded: "The model's provider was overloaded. Try again in a moment.",
      overloaded: "We were too busy to accept the request. Try again in a moment.",
      shutting_down: "The server was restarting. Try again.",
      model_unavailable:
        "The model was switched off at the moment. Use another one, or try again later.",
      maintenance: "We were doing maintenance. Try again later.",
      database_unavailable: "Our database was away. Try again in a moment.",
      clock_wrong: "The clock of our server was wrong. Try again in a moment.",
    },
    504: {
      upstream_timeout:
        "The model's provider did not answer in time. Try again, or use another model.",
    },
  },
} as const satisfies Record<string, Record<number, Named>>;

export type ErrorGroup = keyof typeof texts;

/** Where the body has another code than the name, or none. */
const otherCodes: Readonly<Record<string, string | null>> = {
  invalid_json: null,
  malformed_request: null,
  missing_api_key: null,
  unauthenticated: null,
  wrong_credentials: null,
  key_disabled: "invalid_api_key",
  model_not_allowed: "permission_denied",
  address_not_allowed: "permission_denied",
  guardrail_blocked: "permission_denied",
  cross_site_request: "permission_denied",
  second_factor_required: "permission_denied",
  key_limit_reached: "insufficient_quota",
  budget_reached: "insufficient_quota",
  account_frozen: "insufficient_quota",
  throttled: "rate_limit_exceeded",
  upstream_rate_limited: "rate_limit_exceeded",
  upstream_overloaded: "overloaded",
};

export const apiErrors: Readonly<Record<string, ApiError>> = Object.fromEntries(
  namesOf(texts).flatMap((group) => {
    const ofGroup: Readonly<Record<string, Named>> = texts[group];
    return Object.entries(ofGroup).flatMap(([status, named]) =>
      Object.entries(named).map(([name, text]) => {
        const code = Object.hasOwn(otherCodes, name) ? (otherCodes[name] ?? null) : name;
        return [name, { group, status: Number(status), code, text }] as const;
      }),
    );
  }),
);

/** What an error code means, in plain words, and what to do about it; of a code that is not known here, its name. */
export function explainError(code: string): string {
  const error = Object.hasOwn(apiErrors, code) ? apiErrors[code] : undefined;
  return error?.text.replaceAll("`", "") ?? `The request ended with ${code}.`;
}
