// The format of an answer: Anthropic binds newer models to a schema. Others, and all of them where a schema is not
// one that it takes, are asked in words for JSON.
import { isObject, type JsonObject } from "@turnpike/base";
import { askForJson } from "../plain-json.ts";
import { kindOfFormat, schemaOfFormat } from "../response-format.ts";
import type { StructuredSchemas } from "./structured-schema.ts";

/** Models before Claude Opus 4.1 and Claude 4.5 refuse `output_config.format` and strict tools. */
const lacksStructuredOutputs = /claude-(?:\d|instant|(?:opus|sonnet)-4(?![.-]?[1-9](?!\d)))/;

export function takesStructuredOutputs(upstreamModel: string): boolean {
  return !lacksStructuredOutputs.test(upstreamModel);
}

export type WrittenFormat = {
  /** For `output_config`. */
  readonly config?: JsonObject;
  /** For the end of the instructions. */
  readonly instruction?: string;
};

/** `schemas` is undefined for a model that cannot be bound to any. */
export function writeFormat(
  { response_format: format, tools }: JsonObject,
  schemas: StructuredSchemas | undefined,
): WrittenFormat {
  if (kindOfFormat(format) === "text") return {};
  const asked = schemaOfFormat(format);
  const schema = asked === undefined ? undefined : schemas?.fit(asked);
  if (schema !== undefined) return { config: { format: { type: "json_schema", schema } } };
  const hasTools = Array.isArray(tools) && tools.some(isObject);
  return { instruction: askForJson(format, hasTools) };
}
