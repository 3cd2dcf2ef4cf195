// What the tests of `/v1/embeddings` share: a request, and the vectors that the scripted upstream returns.
import { embeddingOf } from "@turnpike/testing";
import { asObject, type JsonObject, type TestServer, testModels } from "../harness/index.ts";

export function postEmbeddings(
  server: Pick<TestServer, "baseUrl">,
  key: string | undefined,
  body: JsonObject | string,
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(`${server.baseUrl}/embeddings`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...(signal && { signal }),
  });
}

export function embeddingsBody(input: unknown, fields: JsonObject = {}): JsonObject {
  return { model: testModels.embeddings, input, ...fields };
}

/** The `embedding` members of an answer, in its order. */
export function vectorsOf(body: JsonObject): unknown[] {
  const { data } = body;
  if (!Array.isArray(data)) throw new Error(`no data in ${JSON.stringify(body).slice(0, 200)}`);
  return data.map((entry) => asObject(entry).embedding);
}

/** Little-endian 32-bit floats, as SDKs decode them. */
export function decodeVector(text: unknown): number[] {
  const bytes = Buffer.from(String(text), "base64");
  return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
}

/** The upstream's vector for an input. */
export function expectedVector(input: string | readonly number[], dimensions = 256): number[] {
  return embeddingOf(input, dimensions);
}
