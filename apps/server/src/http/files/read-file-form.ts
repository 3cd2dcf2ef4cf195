// Reads the form of an upload while its file is encrypted and stored: it is neither in memory as a whole nor on disk as it came. What it
// contains says its type, whatever its name and its sender say.
import { Fault, type JsonObject, withDeadline } from "@turnpike/base";
import type { BodySlot } from "@turnpike/gateway";
import { imageFormats, mediaFormats, requireFormat, sniffFormat } from "@turnpike/media";
import type { ObjectWriter } from "@turnpike/objects";
import {
  type FileFields,
  type FileStore,
  fileFormShapes,
  headMaxBytes,
  isMultipart,
  parseFileFields,
  readMultipartInto,
} from "@turnpike/wire";

/** What is left of a file that was written elsewhere. */
type WrittenFile = { readonly size: number; readonly head: Uint8Array };

export type ReceivedFile = FileFields & {
  readonly filename: string;
  readonly mediaType: string;
};

const formWaitMs = 1_800_000;
const mebibyte = 1_048_576;
export const fileMaxBytes = 512 * mebibyte;
const batchMaxBytes = 200 * mebibyte;
/** Of the body besides the file. */
const restMaxBytes = mebibyte;

/** The file is written to `writer`. Throws a Fault if the body is not a form, is too large, or lacks something. */
export async function readFileForm(
  request: Request,
  slot: BodySlot,
  writer: ObjectWriter,
): Promise<ReceivedFile> {
  const { body, headers } = request;
  const contentType = headers.get("content-type");
  if (!isMultipart(contentType)) {
    throw new Fault(
      "unsupported_media_type",
      "Send the body as multipart/form-data, with 'file' and 'purpose'.",
    );
  }
  const maxBytes = fileMaxBytes + restMaxBytes;
  if (Number(headers.get("content-length") ?? 0) > maxBytes) throw tooLarge(fileMaxBytes);
  if (body === null) throw missingFile();
  const late = new AbortController();
  const reading = readMultipartInto(body, contentType, {
    maxBytes,
    files: { file: { maxBytes: fileMaxBytes } },
    shapes: fileFormShapes,
    store: storeOf(writer),
    onGrowth: (memoryBytes) => slot.resize(memoryBytes),
    signal: late.signal,
  });
  const { fields, files } = await withDeadline(reading, formWaitMs, () => {
    late.abort();
    throw new Fault("request_timeout", `The file did not arrive within ${formWaitMs / 1_000} s.`, {
      headers: { connection: "close" },
    });
  });
  const [file] = files;
  return describeFile(fields, file && { ...file.bytes, filename: file.filename });
}

function describeFile(
  fields: JsonObject,
  file: (WrittenFile & { readonly filename: string }) | undefined,
): ReceivedFile {
  const parsed = parseFileFields(fields);
  if (file === undefined) throw missingFile();
  const { size, head, filename } = file;
  if (size === 0) throw invalidFile("it is empty");
  if (parsed.purpose !== "batch") {
    if (parsed.purpose === "vision") requireFormat(head, imageFormats, "file");
    return { ...parsed, filename, mediaType: typeOf(head, size) };
  }
  if (size > batchMaxBytes) throw tooLarge(batchMaxBytes);
  if (typeOf(head, size) !== plainText) {
    throw invalidFile("a file of the purpose 'batch' is text, with one JSON object in each line");
  }
  return { ...parsed, filename, mediaType: "application/jsonl" };
}

const plainText = "text/plain";
const unknownType = "application/octet-stream";

/** By its content. Never a type that a browser would run. */
function typeOf(head: Uint8Array, size: number): string {
  const format = sniffFormat(head);
  if (format === "svg") return unknownType;
  if (format !== undefined) return mediaFormats[format].type;
  return isText(head, size > head.byteLength) ? plainText : unknownType;
}

function isText(head: Uint8Array, isCut: boolean): boolean {
  if (head.includes(0)) return false;
  try {
    // A character may be cut where the beginning ends.
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: isCut });
    return true;
  } catch {
    return false;
  }
}

function storeOf(writer: ObjectWriter): FileStore<WrittenFile> {
  return {
    memoryBytes: 0,
    openFile() {
      let head: Uint8Array = new Uint8Array();
      return {
        async write(bytes) {
          const missing = headMaxBytes - head.byteLength;
          if (missing > 0) head = Buffer.concat([head, bytes.subarray(0, missing)]);
          await writer.write(bytes);
        },
        end: () => ({ size: writer.size, head }),
      };
    },
  };
}

function missingFile(): Fault {
  return new Fault("missing_required_parameter", "Missing required parameter: 'file'.", {
    param: "file",
  });
}

function invalidFile(problem: string): Fault {
  return new Fault("invalid_value", `Invalid 'file': ${problem}.`, { param: "file" });
}

function tooLarge(maxBytes: number): Fault {
  const sentence = `The file 'file' is larger than ${maxBytes / mebibyte} MiB.`;
  return new Fault("request_too_large", sentence, { param: "file" });
}
