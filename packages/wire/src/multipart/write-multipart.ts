// Writes a multipart/form-data body, part by part. Its fields are named as OpenAI's clients name them.
import { randomUUID } from "node:crypto";
import { isObject } from "@turnpike/base";
import type { FileBytes } from "./file-bytes.ts";
import { type UploadBody, type UploadPart, uploadBody } from "./upload-body.ts";

export type SentFile = {
  /** As the provider names the field: `image`, `image[]`. */
  readonly name: string;
  /** By `filenameWith`. */
  readonly filename: string;
  /** By what the file contains. */
  readonly type: string;
  readonly bytes: FileBytes;
};

type TextEntry = readonly [name: string, text: string];

/** Fields are sent before files, as every server reads them. */
export function writeMultipart(
  fields: readonly TextEntry[],
  files: readonly SentFile[],
): UploadBody {
  const boundary = `turnpike-${randomUUID()}`;
  const lineEnd = Buffer.from("\r\n", "latin1");
  const parts: readonly UploadPart[] = [
    ...fields.map(([name, text]) => textPart(boundary, name, text)),
    ...files.flatMap((file) => [fileHead(boundary, file), file.bytes, lineEnd]),
    Buffer.from(`--${boundary}--\r\n`, "latin1"),
  ];
  return uploadBody(`multipart/form-data; boundary=${boundary}`, parts);
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
