// Writes a body of JSON in which files stand as base64, for APIs that take files in no other way. A file is encoded as it is
// sent, so that none is in memory twice.
import { randomUUID } from "node:crypto";
import type { FileBytes } from "./file-bytes.ts";
import { type UploadBody, type UploadPart, uploadBody } from "./upload-body.ts";

/** The text that stands for a file until the body is sent. */
export type PlaceFile = (file: FileBytes) => string;

/** `build` makes the value of the body; the file of each text that `place` returned is in its place. */
export function writeJsonUpload(build: (place: PlaceFile) => unknown): UploadBody {
  const files: FileBytes[] = [];
  // What a caller wrote cannot contain it.
  const mark = randomUUID();
  const json = JSON.stringify(build((file) => `${mark}:${files.push(file) - 1};`));
  const [start = "", ...following] = json.split(mark);
  const parts = following.flatMap((text): UploadPart[] => {
    const end = text.indexOf(";");
    const file = files[Number(text.slice(1, end))];
    return [...(file ? [asBase64(file)] : []), Buffer.from(text.slice(end + 1))];
  });
  return uploadBody("application/json", [Buffer.from(start), ...parts]);
}

function asBase64(file: FileBytes): UploadPart {
  return { size: 4 * Math.ceil(file.size / 3), chunks: () => encode(file.chunks()) };
}

/** Only the last piece may have padding: each of the others ends with a whole group of three bytes. */
async function* encode(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array();
  for await (const chunk of chunks) {
    const bytes = rest.byteLength === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = bytes.byteLength - (bytes.byteLength % 3);
    rest = bytes.slice(whole);
    if (whole > 0) yield base64Of(bytes.subarray(0, whole));
  }
  if (rest.byteLength > 0) yield base64Of(rest);
}

function base64Of({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array {
  return Buffer.from(Buffer.from(buffer, byteOffset, byteLength).toString("base64"), "latin1");
}
