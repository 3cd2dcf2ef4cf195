// Reads the key a caller presents from the headers SDKs use for it. Two credentials in one header are
// refused instead of choosing one, and refusals never repeat what was sent.

import { Fault } from "./fault.ts";

/**
 * The presented key: `Authorization: Bearer`, else `x-api-key` (Anthropic's SDK), else
 * `x-goog-api-key` (Google's), else `api-key` (Azure's). Clients that send several get the first of these.
 * Throws `missing_api_key`, or `malformed_request` for a header sent twice.
 */
export function parseBearer(headers: Pick<Headers, "get">): string {
  const presented =
    parseAuthorization(headers) ??
    parseHeader(headers, "x-api-key") ??
    parseHeader(headers, "x-goog-api-key") ??
    parseHeader(headers, "api-key");
  if (presented !== undefined) return presented;
  throw new Fault(
    "missing_api_key",
    "No API key was provided. Send it in the Authorization header: `Authorization: Bearer YOUR_KEY`.",
  );
}

/** Whether any of the headers of a key is given. */
export function presentsKey(headers: Pick<Headers, "get">): boolean {
  return ["authorization", "x-api-key", "x-goog-api-key", "api-key"].some((name) =>
    Boolean(headers.get(name)?.trim()),
  );
}

const bearer = /^bearer[ \t]./i;

function parseAuthorization(headers: Pick<Headers, "get">): string | undefined {
  const value = parseHeader(headers, "authorization");
  if (value === undefined) return undefined;
  if (!bearer.test(value)) return undefined;
  return value.slice("bearer ".length).trim();
}

function parseHeader(headers: Pick<Headers, "get">, name: string): string | undefined {
  const value = headers.get(name)?.trim();
  if (value === undefined || value === "") return undefined;
  // Fetch joins repeated headers with a comma, which no key contains.
  if (value.includes(",")) {
    throw new Fault("malformed_request", `The ${name} header was sent more than once.`);
  }
  return value;
}
