// Bodies of multipart/form-data as clients write them, and streams that deliver them in pieces.
import { Fault } from "@turnpike/base";

export type SamplePart = {
  /** Header lines, without the last line end; or the disposition's parameters. */
  readonly head: string;
  readonly body: string | Uint8Array;
};

export const sampleBoundary = "----WebKitFormBoundaryAbC123";
export const sampleType = `multipart/form-data; boundary=${sampleBoundary}`;

export function textPart(name: string, body: string): SamplePart {
  return { head: `Content-Disposition: form-data; name="${name}"`, body };
}

export function filePart(
  name: string,
  body: string | Uint8Array,
  { filename = "a.bin", type = "application/octet-stream" } = {},
): SamplePart {
  const disposition = `Content-Disposition: form-data; name="${name}"; filename="${filename}"`;
  return { head: `${disposition}\r\nContent-Type: ${type}`, body };
}

export function formBody(parts: readonly SamplePart[], boundary = sampleBoundary): Uint8Array {
  const pieces = parts.flatMap(({ head, body }) => [
    Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`),
    Buffer.from(body),
    Buffer.from("\r\n"),
  ]);
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
}

/** Each piece is its own memory, as pieces from a connection are. */
export async function* inPieces(
  body: Uint8Array,
  pieceBytes = body.length,
): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += pieceBytes) {
    yield new Uint8Array(body.slice(at, at + pieceBytes));
  }
}

export async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

/** What reading is refused with. */
export async function faultOf(reading: Promise<unknown>): Promise<Fault> {
  try {
    await reading;
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown;
    throw thrown;
  }
  throw new Error("nothing was refused");
}
