// Reads a moderation request, after `CreateModerationRequest` in OpenAI's openapi.yaml: a text, a list of texts, or one list
// of parts that are texts and images.
import { isObject } from "@turnpike/base";
import { missing, wrongType } from "../checks/body-fault.ts";
import { moderationFields } from "../fields/operations/moderation-fields.ts";
import { type InputPart, parseInputPart } from "../operations/input-part.ts";
import { type OperationRequest, parseOperationBody } from "../operations/operation-request.ts";
import { moderationsLanguage } from "../protocol/languages.ts";

export type ModerationRequest = OperationRequest<"moderation"> & {
  readonly stream: false;
  /** As it is sent: one result for each text, or one for all parts. */
  readonly input: string | readonly string[] | readonly InputPart[];
  readonly imageCount: number;
};

/** What a request without a model means: OpenAI's default. */
const defaultModel = "omni-moderation-latest";

/** Throws the Fault that names the invalid field. */
export function parseModerationRequest(raw: string): ModerationRequest {
  const common = parseOperationBody(raw, moderationFields, defaultModel);
  const { input: asked } = common.parsed;
  const parts = parseInput(asked);
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const imageCount = parts.length - texts.length;
  const isTexts = typeof asked === "string" || (Array.isArray(asked) && !isObject(asked[0]));
  const [only = ""] = texts;
  let textBytes = 0;
  for (const text of texts) textBytes += Buffer.byteLength(text);
  return {
    ...common,
    operation: "moderation",
    language: moderationsLanguage,
    stream: false,
    promptStart: () => texts.join("\n"),
    inputCount: isTexts ? texts.length : 1,
    textBytes,
    texts,
    tokenCounts: [],
    input: typeof asked === "string" ? only : isTexts ? texts : parts,
    imageCount,
  };
}

function parseInput(value: unknown): readonly InputPart[] {
  if (typeof value === "string") return [{ type: "text", text: value }];
  if (!Array.isArray(value)) throw missing("input");
  const areParts = isObject(value[0]);
  return value.map((entry: unknown, index) => {
    const path = `input[${index}]`;
    if (areParts) return parseInputPart(entry, path);
    if (typeof entry !== "string") throw wrongType(path, "a string", entry);
    return { type: "text", text: entry };
  });
}
