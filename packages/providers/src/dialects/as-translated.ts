// The same call, whose answer is read as typed deltas whatever language its caller has: for what the gateway has to
// change in an answer, or to convert between one body and a stream.
import type { ParsedRequest } from "@turnpike/wire";
import type { UpstreamCall } from "../provider.ts";

/** The language of no caller. */
const noLanguage = "deltas";

type Reading<Request extends ParsedRequest> = Pick<
  UpstreamCall<Request>,
  | "request"
  | "provider"
  | "upstreamModel"
  | "identity"
  | "maxTokens"
  | "coveredTokens"
  | "omittedFields"
>;

export function asTranslated<Call extends Reading<ParsedRequest>>(call: Call): Call {
  return { ...call, request: { ...call.request, language: noLanguage } };
}
