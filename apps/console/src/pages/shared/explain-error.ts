// What an error code of `/v1` means, in plain words, and what to do about it.

const meanings = {
  invalid_json: "The body was not valid JSON.",
  invalid_type: "A field had the wrong type.",
  invalid_value: "A field had a value that is not allowed.",
  missing_required_parameter: "A required field was missing.",
  integer_above_max_value: "A number was larger than allowed.",
  integer_below_min_value: "A number was smaller than allowed.",
  decimal_above_max_value: "A number was larger than allowed.",
  decimal_below_min_value: "A number was smaller than allowed.",
  string_above_max_length: "A string was too long.",
  string_below_min_length: "A text was shorter than allowed.",
  array_above_max_length: "An array had too many items.",
  empty_array: "A list that needs at least one entry was empty.",
  unknown_parameter: "The request had an unknown field.",
  unsupported_parameter: "The model does not support one of the fields.",
  unsupported_value: "The model does not support one of the values.",
  unsupported_media_type: "Send the body with Content-Type: application/json.",
  request_too_large: "The body was larger than allowed.",
  request_timeout: "The request body took too long to arrive.",
  context_length_exceeded:
    "The messages exceed the model's context window. Send fewer or shorter ones.",
  malformed_request: "The request could not be read.",
  key_expired: "The API key has expired.",
  key_disabled: "The API key is disabled. Enable it under API Keys.",
  permission_denied: "The API key is not allowed to do this.",
  model_not_allowed: "The API key, its project or the account is not allowed to use this model.",
  address_not_allowed: "The API key, its project or the account is not allowed from this address.",
  guardrail_blocked: "A guardrail of the account, the project or the key does not allow it.",
  insufficient_quota: "The balance was too low for this request. Add funds.",
  key_limit_reached: "The API key had reached its spend limit.",
  budget_reached: "A budget of the account, the project or the member had been reached.",
  account_frozen: "The account was frozen after a refund or dispute.",
  account_suspended: "The account was suspended.",
  rate_limit_exceeded:
    "Too many requests or tokens for a rate limit of the API key, its project or the account. Slow down and try again.",
  model_not_found: "There is no model with this name. See Models for the list.",
  model_unavailable:
    "The model was switched off at the moment. Use another one, or try again later.",
  no_endpoints: "No provider of the model satisfies the routing preferences of the request.",
  client_closed_request: "The client closed the connection early.",
  upstream_rejected: "The model's provider refused the request.",
  content_filter: "The model's provider refused the content.",
  bad_gateway: "The model's provider failed or could not be reached. Trying again usually helps.",
  upstream_timeout: "The model's provider did not answer in time. Trying again usually helps.",
  upstream_rate_limited: "The model's provider was too busy. Try again in a moment.",
  upstream_overloaded: "The model's provider was overloaded. Try again in a moment.",
  overloaded: "We were too busy to accept the request. Try again in a moment.",
  maintenance: "We were doing maintenance. Try again later.",
  database_unavailable: "Our database was away. Try again in a moment.",
  clock_wrong: "The clock of our server was wrong. Try again in a moment.",
  shutting_down: "The server was restarting. Try again.",
  internal_error: "Something went wrong on our side.",
} as const;

/** Of a code that is not known here, its name. */
export function explainError(code: string): string {
  const texts: Readonly<Record<string, string>> = meanings;
  return texts[code] ?? `The request ended with ${code}.`;
}
