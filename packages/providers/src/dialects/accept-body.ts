// The body of a 200 before anything of it is read: an object that is no error.
import { type JsonObject, parseText } from "@turnpike/base";
import type { TokenUsage } from "@turnpike/wire";
import type { Provider, UnreadAnswer } from "../provider.ts";
import { isErrorBody } from "../refusals/parse-error-body.ts";
import { refusedInside, unreadable } from "../refusals/refuse.ts";

type Called = { readonly provider: Provider };

/** Throws the Fault of an error; undefined is a body that was not a complete JSON object. */
export function acceptBody(
  body: JsonObject | undefined,
  { provider }: Called,
  headers: Headers,
): JsonObject {
  if (!body) throw unreadable();
  if (isErrorBody(body)) throw refusedInside(body, provider, headers);
  return body;
}

/** What the bill needs of an answer whose client has left, from the small `members` of its body. */
export function acceptUnread(
  members: JsonObject | undefined,
  call: Called,
  headers: Headers,
  readUsage: (members: JsonObject) => TokenUsage | undefined,
): UnreadAnswer {
  const body = acceptBody(members, call, headers);
  return { kind: "unread", upstreamId: parseText(body.id), usage: readUsage(body) };
}
