// The calls of a batch that are in the request which creates it: names and bodies, as Anthropic's and OpenRouter's clients send them.
// What is wrong is said before anything is kept, with the place of the call.
import { isObject, type JsonObject } from "@turnpike/base";
import {
  badValue,
  emptyArray,
  missing,
  tooLong,
  tooMany,
  wrongType,
} from "../checks/body-fault.ts";

/** Source: OpenAI's API. */
export const batchCallsMax = 50_000;
const customIdMaxChars = 512;

export type InlineCall = { readonly customId: string; readonly body: JsonObject };

/** `bodyName` is the member of a call that its body is in. Throws a Fault that names the field. */
export function parseInlineCalls(requests: unknown, bodyName: "params" | "body"): InlineCall[] {
  if (requests === undefined) throw missing("requests");
  if (!Array.isArray(requests)) throw wrongType("requests", "an array", requests);
  if (requests.length === 0) throw emptyArray("requests");
  if (requests.length > batchCallsMax) throw tooMany("requests", batchCallsMax, requests.length);
  const known = new Set<string>();
  return requests.map((request: unknown, index) => {
    const place = `requests[${index}]`;
    if (!isObject(request)) throw wrongType(place, "an object", request);
    const customId = parseCustomId(`${place}.custom_id`, request.custom_id);
    if (known.has(customId)) {
      throw badValue(`${place}.custom_id`, "another request before this one has the same.");
    }
    known.add(customId);
    const { [bodyName]: body } = request;
    const param = `${place}.${bodyName}`;
    if (body === undefined) throw missing(param);
    if (!isObject(body)) throw wrongType(param, "an object", body);
    if (body.stream === true) throw badValue(`${param}.stream`, "nothing is streamed in a batch.");
    return { customId, body };
  });
}

function parseCustomId(param: string, value: unknown): string {
  if (value === undefined) throw missing(param);
  if (typeof value !== "string") throw wrongType(param, "a string", value);
  if (value === "") throw badValue(param, "it is empty.");
  if (value.length > customIdMaxChars) throw tooLong(param, customIdMaxChars, value.length);
  return value;
}
