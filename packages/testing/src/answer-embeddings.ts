// What the scripted upstream answers to `/v1/embeddings`: the same input always becomes the same vector,
// so a test can say what it expects. It reads leniently and shares nothing with the gateway's parser.
import { createHash } from "node:crypto";
import { fieldsOf } from "./read-chat-body.ts";

export type EmbeddingsBody = {
  readonly inputs: readonly (string | readonly number[])[];
  readonly format: "float" | "base64";
  readonly dimensions: number;
  readonly promptTokens: number;
};

const defaultDimensions = 256;

export function readEmbeddingsBody(parsed: unknown): EmbeddingsBody {
  const { input, encoding_format: format, dimensions } = fieldsOf(parsed);
  const inputs = readInputs(input);
  return {
    inputs,
    format: format === "base64" ? "base64" : "float",
    dimensions: typeof dimensions === "number" ? dimensions : defaultDimensions,
    promptTokens: inputs.reduce((sum, one) => sum + countInputTokens(one), 0),
  };
}

function readInputs(input: unknown): EmbeddingsBody["inputs"] {
  if (typeof input === "string") return [input];
  const list: readonly unknown[] = Array.isArray(input) ? input : [];
  if (typeof list[0] === "number") return [list.map(Number)];
  return list.map((one) => (Array.isArray(one) ? one.map(Number) : String(one)));
}

/** A quarter of a text's bytes, rounded up; of tokens their number. */
function countInputTokens(input: string | readonly number[]): number {
  return typeof input === "string" ? Math.ceil(Buffer.byteLength(input) / 4) : input.length;
}

/** The vector of an input: 32-bit floats between -1 and 1, from the SHA-256 of its JSON. */
export function embeddingOf(input: string | readonly number[], dimensions: number): number[] {
  const seed = createHash("sha256").update(JSON.stringify(input)).digest();
  return Array.from({ length: dimensions }, (_, index) => {
    const byte = seed[index % seed.length] ?? 0;
    return Math.fround(((byte ^ (index & 0xff)) - 127.5) / 127.5);
  });
}

/** The members of the answer beside `usage`. */
export function embeddingsAnswer(
  { inputs, format, dimensions }: EmbeddingsBody,
  model: string,
  answered: EmbeddingsBody["format"] = format,
): Record<string, unknown> {
  const data = inputs.map((input, index) => {
    const vector = embeddingOf(input, dimensions);
    const embedding = answered === "float" ? vector : base64Of(vector);
    return { object: "embedding", index, embedding };
  });
  return { object: "list", data, model };
}

function base64Of(vector: readonly number[]): string {
  return Buffer.from(new Float32Array(vector).buffer).toString("base64");
}
