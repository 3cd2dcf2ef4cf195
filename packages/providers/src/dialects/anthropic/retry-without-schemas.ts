// What Anthropic is asked once it has refused to bind an answer to the schemas of a chat completion, of which it says
// only then that they are too large: the same without binding it. What it has refused is not asked again.
import { isObject, type JsonObject } from "@turnpike/base";
import { messagesLanguage, parseExactObject } from "@turnpike/wire";
import type { DialectRequest } from "../../provider.ts";
import { rememberRefused, wasRefused } from "../../refused-parts.ts";
import { digestOf } from "../fit-identifier.ts";
import { askForJson } from "../plain-json.ts";
import { messageOf } from "./cloud-betas.ts";
import type { MessagesCall } from "./message-stream.ts";

/**
 * From the beginning: other refusals repeat words of a request. The first is of all schemas together
 * (anthropics/anthropic-sdk-python#1185), as is the second; the others name what they do not support.
 */
const refusesSchemas =
  /^(?:The compiled grammar is too large|Schemas? (?:contains?|is) too |output_config\.format\.schema\b|tools\.\d{1,5}\.custom\b.*\bnot supported)/;

/** Undefined for any other refusal, and for a request that was not translated or has no schemas. */
export function retryWithoutSchemas(
  call: MessagesCall,
  dialectRequest: DialectRequest,
  status: number,
  refusal: string,
): DialectRequest | undefined {
  if (call.request.language === messagesLanguage || status !== 400) return undefined;
  if (!refusesSchemas.test(messageOf(refusal))) return undefined;
  const body = parseExactObject(dialectRequest.body) ?? {};
  const other = withoutSchemas(call, body);
  if (other === body) return undefined;
  rememberRefused(call.provider, [nameOf(call)]);
  return { ...dialectRequest, body: JSON.stringify(other) };
}

/** `body` itself unless its provider has refused its schemas before. */
export function withoutRefusedSchemas(call: MessagesCall, body: JsonObject): JsonObject {
  return wasRefused(call.provider, () => nameOf(call)) ? withoutSchemas(call, body) : body;
}

function nameOf({ upstreamModel, request: { parsed } }: MessagesCall): string {
  const schemas = JSON.stringify([upstreamModel, parsed.response_format, parsed.tools]);
  return `schemas ${digestOf(schemas, 32)}`;
}

/** `body` itself where nothing is bound to a schema. */
function withoutSchemas(call: MessagesCall, body: JsonObject): JsonObject {
  const tools = Array.isArray(body.tools) ? body.tools.filter(isObject) : [];
  const isStrict = tools.some(({ strict }) => strict === true);
  const free = isStrict ? { ...body, tools: tools.map(({ strict: _, ...tool }) => tool) } : body;
  if (!isObject(body.output_config) || body.output_config.format === undefined) return free;
  const { output_config: _bound, ...other } = free;
  const { format: _, ...config } = body.output_config;
  const text = askForJson(call.request.parsed.response_format, tools.length > 0);
  const system = [...(Array.isArray(body.system) ? body.system : []), { type: "text", text }];
  return { ...other, system, ...(Object.keys(config).length > 0 && { output_config: config }) };
}
