// Reads what is to be embedded: a text, a list of texts, or the same of tokens, and how much that is; or OpenRouter's list of
// inputs that are made of texts and images, each of which becomes one vector.
import { isObject } from "@turnpike/base";
import { badValue, emptyArray, tooMany, tooShort, wrongType } from "../checks/body-fault.ts";
import type { Bounds } from "../checks/bounds.ts";
import { type InputPart, parseInputPart } from "../operations/input-part.ts";
import type { InputSize } from "../operations/input-size.ts";

const maxInputs = 2_048;
const maxTokenId = 2 ** 31 - 1;

const oneText: Bounds = { text: { minLength: 1 } };
const tokens: Bounds = {
  list: { minItems: 1, items: { number: { minimum: 0, maximum: maxTokenId } } },
};

/** What `parseInput` enforces. */
export const inputBounds: Bounds = {
  forms: [
    oneText,
    { list: { minItems: 1, maxItems: maxInputs, items: oneText } },
    tokens,
    { list: { minItems: 1, maxItems: maxInputs, items: tokens } },
  ],
};

/** Why a field is refused that would change what is embedded or what it costs. */
export const changesInput = "It would change what is embedded, or at what price.";

const expected = "one of a string, an array of strings, an array of integers or an array of arrays";

export type EmbeddedInput = InputSize & {
  /** How many images there are in all inputs. */
  readonly imageCount: number;
  /** Of each input, if they are made of parts. */
  readonly parts?: readonly (readonly InputPart[])[];
};

/** A string, an array of strings, an array of tokens, an array of arrays of tokens, or an array of inputs in parts. */
export function parseInput(input: unknown): EmbeddedInput {
  if (typeof input === "string") return ofTexts([parseText(input, "input")]);
  if (!Array.isArray(input)) throw wrongType("input", expected, input);
  const [first] = input;
  if (first === undefined) throw emptyArray("input");
  if (typeof first === "number") return ofTokens([countTokens(input, "input")]);
  if (input.length > maxInputs) throw tooMany("input", maxInputs, input.length);
  if (typeof first === "string") {
    return ofTexts(input.map((entry, index) => parseText(entry, `input[${index}]`)));
  }
  if (Array.isArray(first)) {
    return ofTokens(input.map((entry, index) => countTokens(entry, `input[${index}]`)));
  }
  if (isObject(first)) return ofParts(input.map(parseParts));
  throw wrongType("input[0]", "a string, an integer or an array of integers", first);
}

function parseText(value: unknown, path: string): string {
  if (typeof value !== "string") throw wrongType(path, "a string", value);
  if (value === "") throw tooShort(path);
  return value;
}

function countTokens(value: unknown, path: string): number {
  if (!Array.isArray(value)) throw wrongType(path, "an array of integers", value);
  if (value.length === 0) throw emptyArray(path);
  for (let index = 0; index < value.length; index += 1) {
    const token: unknown = value[index];
    if (typeof token === "number" && Number.isInteger(token) && token >= 0 && token <= maxTokenId) {
      continue;
    }
    const problem = "expected a token id, an integer from 0 to 2147483647.";
    if (typeof token === "number") throw badValue(`${path}[${index}]`, problem);
    throw wrongType(`${path}[${index}]`, "an integer", token);
  }
  return value.length;
}

/** Source: `input` of `CreateEmbeddingsRequest` in OpenRouter's openapi.yaml. */
function parseParts(entry: unknown, index: number): readonly InputPart[] {
  const path = `input[${index}]`;
  if (!isObject(entry)) throw wrongType(path, "an object with `content`", entry);
  const { content } = entry;
  if (!Array.isArray(content)) throw wrongType(`${path}.content`, "an array", content);
  if (content.length === 0) throw emptyArray(`${path}.content`);
  return content.map((part, at) => parseInputPart(part, `${path}.content[${at}]`));
}

function ofParts(parts: readonly (readonly InputPart[])[]): EmbeddedInput {
  const texts = parts.map((own) =>
    own.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n"),
  );
  const imageCount = parts.flat().filter(({ type }) => type === "image_url").length;
  return { ...ofTexts(texts), imageCount, parts };
}

function ofTexts(texts: readonly string[]): EmbeddedInput {
  let textBytes = 0;
  for (const entry of texts) textBytes += Buffer.byteLength(entry);
  return { inputCount: texts.length, textBytes, texts, tokenCounts: [], imageCount: 0 };
}

function ofTokens(tokenCounts: readonly number[]): EmbeddedInput {
  const inputCount = tokenCounts.length;
  return { inputCount, textBytes: 0, texts: [], tokenCounts, imageCount: 0 };
}
