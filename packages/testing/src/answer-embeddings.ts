// How the scripted upstream answers `/v1/embeddings`: the same input always becomes the same vector,
// so a test can say what it expects. It reads leniently and shares nothing with the gateway's parser.
import { createHash } from "node:crypto";
import { fieldsOf } from "./parse-chat-body.ts";
import { ScriptError } from "./parse-script.ts";

export type EmbeddingsBody = {
  readonly inputs: readonly (string | readonly number[])[];
  readonly format: "float" | "base64";
  readonly dimensions: number;
  readonly promptTokens: number;
  /** The API whose answer is expected. */
  readonly api: "openai" | "gemini";
};

const defaultDimensions = 256;

export function parseEmbeddingsBody(parsed: unknown): EmbeddingsBody {
  const { input, encoding_format: format, dimensions } = fieldsOf(parsed);
  const inputs = parseInputs(input);
  return {
    inputs,
    format: format === "base64" ? "base64" : "float",
    dimensions: typeof dimensions === "number" ? dimensions : defaultDimensions,
    promptTokens: inputs.reduce((sum, one) => sum + countInputTokens(one), 0),
    api: "openai",
  };
}

/** A request to Google's batchEmbedContents. Like the real service it refuses unknown fields. */
export function parseGeminiEmbeddings(parsed: unknown): EmbeddingsBody {
  const { requests, ...unknown } = fieldsOf(parsed);
  if (!Array.isArray(requests) || requests.length > 100 || Object.keys(unknown).length > 0) {
    throw new ScriptError("expected at most 100 requests and nothing else");
  }
  let dimensions = defaultDimensions;
  const inputs = requests.map((request) => {
    const { model, content, outputDimensionality, ...others } = fieldsOf(request);
    if (!String(model).startsWith("models/") || Object.keys(others).length > 0) {
      throw new ScriptError(`not a request: ${JSON.stringify(request)}`);
    }
    if (typeof outputDimensionality === "number") dimensions = outputDimensionality;
    const { parts } = fieldsOf(content);
    return String(fieldsOf(Array.isArray(parts) ? parts[0] : undefined).text);
  });
  const promptTokens = inputs.reduce((sum, one) => sum + countInputTokens(one), 0);
  return { inputs, format: "float", dimensions, promptTokens, api: "gemini" };
}

function parseInputs(input: unknown): EmbeddingsBody["inputs"] {
  if (typeof input === "string") return [input];
  const list: readonly unknown[] = Array.isArray(input) ? input : [];
  if (typeof list[0] === "number") return [list.map(Number)];
  return list.map((one) => {
    if (Array.isArray(one)) return one.map(Number);
    return typeof one === "object" ? JSON.stringify(one) : String(one);
  });
}

/** Of each image in an input made of parts. */
export const embeddedImageTokens = 64;

function countImages(input: string): number {
  return input.split(/"image_url":\{|"image":"/).length - 1;
}

/** A quarter of a text's bytes, rounded up; of tokens their number. */
function countInputTokens(input: string | readonly number[]): number {
  if (typeof input !== "string") return input.length;
  const images = input.startsWith("{") ? countImages(input) : 0;
  return images > 0 ? images * embeddedImageTokens : Math.ceil(Buffer.byteLength(input) / 4);
}

/** The vector of an input: 32-bit floats between -1 and 1, from the SHA-256 of its JSON. */
export function embeddingOf(input: string | readonly number[], dimensions: number): number[] {
  const seed = createHash("sha256").update(JSON.stringify(input)).digest();
  return Array.from({ length: dimensions }, (_, index) => {
    const byte = seed[index % seed.length] ?? 0;
    return Math.fround(((byte ^ (index & 0xff)) - 127.5) / 127.5);
  });
}

/** The whole answer. */
export function embeddingsAnswer(
  { inputs, format, dimensions, api }: EmbeddingsBody,
  model: string,
  usage: unknown,
  answered: EmbeddingsBody["format"] = format,
): Record<string, unknown> {
  if (api === "gemini") {
    const embeddings = inputs.map((input) => ({ values: embeddingOf(input, dimensions) }));
    return usage === undefined ? { embeddings } : { embeddings, usageMetadata: usage };
  }
  const data = inputs.map((input, index) => {
    const vector = embeddingOf(input, dimensions);
    const embedding = answered === "float" ? vector : base64Of(vector);
    return { object: "embedding", index, embedding };
  });
  return { object: "list", data, model, ...(usage !== undefined && { usage }) };
}

function base64Of(vector: readonly number[]): string {
  return Buffer.from(new Float32Array(vector).buffer).toString("base64");
}
