// What the dialects of operations share whose upstreams have OpenAI's form of address: requests are written from what was read
// of them, so that nothing is sent that was not.
import { isObject, type JsonObject } from "@turnpike/base";
import { givenPreferences, operationFields, type ParsedRequest } from "@turnpike/wire";
import type { DialectRequest, OpenaiProvider, UpstreamCall } from "../../provider.ts";
import { type OpenaiPath, pathOf } from "../openai/openai-path.ts";
import { parseCount } from "../openai/parse-usage.ts";

/** The fields of a request that have the same name and form at providers with OpenAI's API. */
export function sameFields({ operation, parsed }: ParsedRequest): JsonObject {
  const fields = operationFields[operation] ?? {};
  const same: JsonObject = {};
  for (const [name, { isOurs, isRewritten }] of Object.entries(fields)) {
    const value = parsed[name] ?? null;
    if (value !== null && isOurs !== true && isRewritten !== true) same[name] = value;
  }
  return same;
}

/** Members that are undefined are not sent. Preferences of the request that are not in `body` are named as ignored. */
export function operationRequest(
  call: UpstreamCall<ParsedRequest, OpenaiProvider>,
  path: OpenaiPath,
  body: JsonObject,
): DialectRequest {
  return {
    path: pathOf(call, path),
    accept: "application/json",
    body: JSON.stringify(body),
    ignored: unsentPreferences(call.request, body),
  };
}

export function unsentPreferences(
  { operation, parsed }: ParsedRequest,
  sent: JsonObject,
): readonly string[] {
  const given = givenPreferences(parsed, operationFields[operation] ?? {});
  return given.filter((name) => sent[name] === undefined);
}

export const noTokens = {
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
} as const;

/** A count below one of these names of a member; undefined if it has none that is a whole number. */
export function countIn(holder: unknown, ...names: readonly string[]): number | undefined {
  if (!isObject(holder)) return undefined;
  for (const name of names) {
    const count = parseCount(holder[name]);
    if (count !== undefined) return count;
  }
  return undefined;
}
