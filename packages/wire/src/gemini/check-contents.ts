// What the members of a request of Gemini's API may look like, after the types of @google/genai. Unknown parts and fields
// pass: an upstream of the same language may support them.
import { isObject } from "@turnpike/base";
import { stopsMax } from "@turnpike/terms";
import { badValue, brokenRule } from "../checks/body-fault.ts";
import { mediaAddress } from "../checks/check-media.ts";
import {
  anyObject,
  anyText,
  boolean,
  decimal,
  integer,
  isGiven,
  list,
  object,
  oneOf,
  type Rule,
  rule,
  text,
} from "../checks/check-value.ts";

const nonEmptyText = text({ nonEmpty: true });
const whole = integer(0, 2 ** 31 - 1);

const blob = object({ required: { mimeType: anyText, data: anyText } });

/** Files of Google's are the operator's: nobody else may have them read. `inline` is the member for content. */
export function publicAddress(inline: string): Rule {
  return rule({ text: {} }, (value, path) => {
    mediaAddress(value, path);
    const host = URL.parse(String(value))?.hostname.replace(/\.$/, "");
    if (host !== undefined && host !== "generativelanguage.googleapis.com") return;
    throw badValue(
      path,
      `it names no file that was uploaded here. Send the content as '${inline}'.`,
    );
  });
}

const fileData = object({
  required: { fileUri: publicAddress("inlineData") },
  optional: { mimeType: anyText },
});

const media = { inlineData: blob, fileData };

const functionCall = object({
  required: { name: nonEmptyText },
  optional: { id: anyText, args: anyObject },
});

const functionResponse = object({
  optional: {
    name: anyText,
    id: anyText,
    response: anyObject,
    parts: list(object({ optional: media }), { of: "objects" }),
  },
});

const partFields = object({
  optional: {
    text: anyText,
    ...media,
    functionCall,
    functionResponse,
    executableCode: anyObject,
    codeExecutionResult: anyObject,
    thought: boolean,
    thoughtSignature: anyText,
  },
});

const contentsOfParts = [
  "text",
  "inlineData",
  "fileData",
  "functionCall",
  "functionResponse",
  "executableCode",
  "codeExecutionResult",
];

const part = rule(partFields.bounds, (value, path) => {
  partFields(value, path);
  if (!isObject(value)) return;
  const given = contentsOfParts.filter((name) => isGiven(value[name]));
  if (given.length < 2) return;
  throw brokenRule(path, `'${path}' has ${given.join(" and ")}. A part has one of them.`);
});

const parts = list(part, { of: "objects" });

export const content = object({
  optional: { role: oneOf(["user", "model", "function", "tool"]), parts },
});

export const contents = list(content, { min: 1, max: 100_000, of: "objects" });

export const systemInstruction = object({ optional: { role: anyText, parts } });

const declaration = object({
  required: { name: text({ nonEmpty: true, maxLength: 128, pattern: /^[\w.:-]+$/ }) },
  optional: { description: anyText, parameters: anyObject, parametersJsonSchema: anyObject },
});

const tool = object({
  optional: { functionDeclarations: list(declaration, { max: 1_024, of: "objects" }) },
});

export const tools = list(tool, { max: 1_024, of: "objects" });

export const toolConfig = object({
  optional: {
    functionCallingConfig: object({
      optional: {
        mode: oneOf(["MODE_UNSPECIFIED", "AUTO", "ANY", "NONE", "VALIDATED"]),
        allowedFunctionNames: list(anyText, { of: "strings" }),
        streamFunctionCallArguments: boolean,
      },
    }),
    retrievalConfig: anyObject,
  },
});

const thinkingConfig = object({
  optional: {
    includeThoughts: boolean,
    thinkingBudget: integer(-1, 2 ** 31 - 1),
    thinkingLevel: oneOf(["THINKING_LEVEL_UNSPECIFIED", "MINIMAL", "LOW", "MEDIUM", "HIGH"]),
  },
});

export const generationConfig = object({
  optional: {
    temperature: decimal(0, 2),
    topP: decimal(0, 1),
    topK: whole,
    candidateCount: integer(1, 128),
    maxOutputTokens: integer(1, 2 ** 31 - 1),
    stopSequences: list(anyText, { max: stopsMax, of: "strings" }),
    responseMimeType: oneOf(["text/plain", "application/json", "text/x.enum"]),
    responseSchema: anyObject,
    responseJsonSchema: anyObject,
    responseModalities: list(anyText, { of: "strings" }),
    presencePenalty: decimal(-2, 2),
    frequencyPenalty: decimal(-2, 2),
    seed: integer(-(2 ** 63), 2 ** 63),
    responseLogprobs: boolean,
    logprobs: integer(0, 20),
    mediaResolution: anyText,
    thinkingConfig,
  },
});

export const safetySettings = list(
  object({ optional: { category: anyText, threshold: anyText } }),
  { of: "objects" },
);

export const serviceTier = oneOf(["unspecified", "standard", "flex", "priority"]);

/** A model as Google's clients name it, with or without `models/`. */
export const model = text({ nonEmpty: true, maxLength: 256 });
