// Writes a multipart/form-data body with a length known in advance, part by part: the bytes of its files are sent on from
// where they are kept, and never assembled. It can be sent any number of times.
import { randomUUID } from "node:crypto";
import { isObject } from "@turnpike/base";
import type { FileBytes } from "./file-bytes.ts";

export type SentFile = {
  /** As the provider names the field: `image`, `image[]`. */
  readonly name: string;
  /** By `filenameWith`. */
  readonly filename: string;
  /** By what the file contains. */
  readonly type: string;
  readonly bytes: FileBytes;
};

export type MultipartBody = {
  readonly contentType: string;
  readonly contentLength: number;
  chunks(): AsyncIterable<Uint8Array>;
  stream(): ReadableStream<Uint8Array>;
};

type TextEntry = readonly [name: string, text: string];

/** Fields are sent before files, as every server reads them. */
export function writeMultipart(
  fields: readonly TextEntry[],
  files: readonly SentFile[],
): MultipartBody {
  const boundary = `turnpike-${randomUUID()}`;
  const texts = fields.map(([name, text]) => textPart(boundary, name, text));
  const heads = files.map((file) => fileHead(boundary, file));
  const tail = Buffer.from(`--${boundary}--\r\n`, "latin1");
  const lineEnd = Buffer.from("\r\n", "latin1");
  const ownBytes = [...texts, ...heads, ...heads.map(() => lineEnd), tail];
  const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield* texts;
    for (const [index, { bytes }] of files.entries()) {
      const head = heads[index];
      if (head) yield head;
      yield* bytes.chunks();
      yield lineEnd;
    }
    yield tail;
  }
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    contentLength:
      sum(ownBytes.map((bytes) => bytes.byteLength)) + sum(files.map(({ bytes }) => bytes.size)),
    chunks,
    stream: () => streamOf(chunks()),
  };
}

/** Fields as OpenAI's clients name them: `x[]` for each item of a list, `x[key]` for each member. Null is absent. */
export function formEntries(fields: Readonly<Record<string, unknown>>): readonly TextEntry[] {
  return Object.entries(fields).flatMap(([name, value]): readonly TextEntry[] => {
    if (Array.isArray(value)) {
      return value.map((item: unknown): TextEntry => [`${name}[]`, textOf(item)]);
    }
    if (!isObject(value))
      return value === null || value === undefined ? [] : [[name, textOf(value)]];
    const members = Object.entries(value).filter(([, member]) => (member ?? null) !== null);
    return members.map(([key, member]): TextEntry => [`${name}[${key}]`, textOf(member)]);
  });
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function textPart(boundary: string, name: string, text: string): Uint8Array {
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="${escapeName(name)}"\r\n\r\n`;
  return Buffer.from(`${head}${text}\r\n`);
}

function fileHead(boundary: string, { name, filename, type }: SentFile): Uint8Array {
  const disposition = `form-data; name="${escapeName(name)}"; filename="${escapeName(filename)}"`;
  const head = `--${boundary}\r\ncontent-disposition: ${disposition}\r\ncontent-type: ${type}\r\n\r\n`;
  return Buffer.from(head);
}

/** Source: the HTML standard, "multipart/form-data encoding algorithm". */
function escapeName(name: string): string {
  return name.replace(/\r/g, "%0D").replace(/\n/g, "%0A").replace(/"/g, "%22");
}

function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}
