// Reads a multipart/form-data body as it arrives, in any order of its fields: every bound is checked before what exceeds it
// is kept, and the bytes of a file are kept once, and hashed as they come. A file that its first bytes refuse is read to its
// end without being kept: a client that is still sending would lose the answer.
import { createHash, type Hash } from "node:crypto";
import { Fault } from "@turnpike/base";
import { Passage } from "./collect-chunks.ts";
import {
  createMemoryStore,
  type FileBytes,
  type FileStore,
  type FileWriter,
} from "./file-bytes.ts";
import { sanitizeFilename } from "./filename.ts";
import {
  buildFields,
  type FieldName,
  type FieldShapes,
  isListKey,
  parseFieldName,
} from "./form-fields.ts";
import {
  bodyTooLarge,
  brokenMultipart,
  givenTwice,
  partTooLarge,
  unexpectedFile,
} from "./multipart-fault.ts";
import { parseBoundary } from "./parse-boundary.ts";
import { type PartHead, parsePartHead } from "./parse-part-head.ts";
import { PartScanner, type ScanEvent } from "./part-scanner.ts";
import { untilBroken } from "./until-broken.ts";

export type FileBounds = {
  readonly maxBytes: number;
  /** Default: 1. */
  readonly maxCount?: number;
};

export type MultipartForm<Kept = FileBytes> = {
  readonly fields: Record<string, unknown>;
  /** By index where a client numbers them, otherwise as they arrived. */
  readonly files: readonly FormFile<Kept>[];
};

export type FormFile<Kept = FileBytes> = {
  /** Without brackets. */
  readonly field: string;
  /** Without a path, never empty. */
  readonly filename: string;
  /** What the client says it is; it proves nothing. */
  readonly type: string | undefined;
  readonly bytes: Kept;
  /** Of its contents, in hexadecimal. */
  readonly sha256: string;
};

export type MultipartOptions<Kept = FileBytes> = {
  /** Of the whole body. */
  readonly maxBytes: number;
  /** By field; a file in any other field is refused. */
  readonly files: Readonly<Record<string, FileBounds>>;
  readonly shapes?: FieldShapes;
  /** Where files are kept. Default: memory. */
  readonly store?: FileStore<Kept>;
  /** Called with the first 4 KiB of a file that is longer; it may throw a Fault. Shorter files are for the caller to check. */
  readonly checkHead?: (field: string, head: Uint8Array) => void;
  /** Called with what the form holds in memory, each time it grows; it may throw a Fault. */
  readonly onGrowth?: (memoryBytes: number) => void;
  /** Ends the reading, which then rejects with its reason. */
  readonly signal?: AbortSignal;
};

/** Throws Fault: `malformed_request`, `request_too_large`, `unsupported_media_type`, or what names the field. */
export function readMultipart(
  body: AsyncIterable<Uint8Array>,
  contentType: string | null,
  options: MultipartOptions,
): Promise<MultipartForm> {
  const { store = createMemoryStore() } = options;
  return readMultipartInto(body, contentType, { ...options, store });
}

type StoringOptions<Kept> = MultipartOptions<Kept> & { readonly store: FileStore<Kept> };

/** The same for a store of another kind. */
export async function readMultipartInto<Kept extends { readonly size: number }>(
  body: AsyncIterable<Uint8Array>,
  contentType: string | null,
  options: StoringOptions<Kept>,
): Promise<MultipartForm<Kept>> {
  const scanner = new PartScanner(parseBoundary(contentType));
  const parts = new PartCollector(options);
  const passage = new Passage();
  let size = 0;
  try {
    for await (const chunk of untilBroken(body, options.signal)) {
      size += chunk.byteLength;
      if (size > options.maxBytes) throw bodyTooLarge(options.maxBytes);
      for (const event of scanner.scan(chunk)) await parts.add(event);
      options.onGrowth?.(parts.memoryBytes);
      passage.add(chunk.byteLength);
    }
  } finally {
    passage.end();
  }
  scanner.assertClosed();
  return parts.build();
}

const textMaxBytes = 64 * 1024;
const checkedHeadBytes = 4 * 1024;

type TextPart = { readonly name: FieldName; readonly chunks: Uint8Array[]; size: number };
type FilePart<Kept> = {
  readonly name: FieldName;
  readonly head: PartHead;
  readonly writer: FileWriter<Kept>;
  readonly maxBytes: number;
  readonly hash: Hash;
  /** Until it was checked. */
  start: Buffer | undefined;
  size: number;
};
type Indexed<Kept> = { readonly key: string | undefined; readonly file: FormFile<Kept> };

class PartCollector<Kept extends { readonly size: number }> {
  readonly #options: StoringOptions<Kept>;
  readonly #texts: { name: FieldName; text: string }[] = [];
  readonly #files: Indexed<Kept>[] = [];
  #textBytes = 0;
  #text: TextPart | undefined;
  #file: FilePart<Kept> | undefined;
  #refusal: Fault | undefined;

  constructor(options: StoringOptions<Kept>) {
    this.#options = options;
  }

  get memoryBytes(): number {
    return this.#options.store.memoryBytes + this.#textBytes;
  }

  async add(event: ScanEvent): Promise<void> {
    if (this.#refusal) return;
    if (event.kind === "headers") this.#open(parsePartHead(event.block));
    else if (event.kind === "end") await this.#end();
    else if (this.#file) await this.#writeFile(this.#file, event.bytes);
    else if (this.#text) this.#writeText(this.#text, event.bytes);
  }

  build(): MultipartForm<Kept> {
    if (this.#refusal) throw this.#refusal;
    const fields = buildFields(this.#texts, this.#options.shapes ?? {});
    for (const { file } of this.#files) {
      if (Object.hasOwn(fields, file.field)) throw givenTwice(file.field);
    }
    return { fields, files: sortByIndex(this.#files) };
  }

  #open(head: PartHead): void {
    const name = parseFieldName(head.name);
    if (head.filename === undefined) {
      this.#text = { name, chunks: [], size: 0 };
      return;
    }
    const { files } = this.#options;
    const bounds = Object.hasOwn(files, name.field) ? files[name.field] : undefined;
    if (bounds === undefined || (name.key !== undefined && !isListKey(name.key))) {
      throw unexpectedFile(head.name, Object.keys(files));
    }
    const { maxBytes, maxCount = 1 } = bounds;
    const others = this.#files.filter(({ file }) => file.field === name.field);
    if (others.length > 0 && maxCount === 1) throw givenTwice(name.field);
    if (others.length >= maxCount) throw tooManyFiles(name.field, maxCount);
    if (name.key && others.some(({ key }) => key === name.key)) throw givenTwice(head.name);
    this.#file = {
      name,
      head,
      maxBytes,
      writer: this.#options.store.openFile(),
      hash: createHash("sha256"),
      start: Buffer.alloc(0),
      size: 0,
    };
  }

  async #writeFile(part: FilePart<Kept>, bytes: Uint8Array): Promise<void> {
    part.size += bytes.byteLength;
    if (part.size > part.maxBytes) throw partTooLarge(part.name.field, "file", part.maxBytes);
    this.#checkHead(part, bytes);
    if (this.#refusal) return;
    part.hash.update(bytes);
    await part.writer.write(bytes);
  }

  #checkHead(part: FilePart<Kept>, bytes: Uint8Array): void {
    const { checkHead } = this.#options;
    if (part.start === undefined || checkHead === undefined) return;
    const rest = bytes.subarray(0, checkedHeadBytes - part.start.length);
    part.start = Buffer.concat([part.start, rest]);
    if (part.start.length < checkedHeadBytes) return;
    try {
      checkHead(part.name.field, part.start);
      part.start = undefined;
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown;
      this.#refusal = thrown;
      this.#file = undefined;
    }
  }

  #writeText(part: TextPart, bytes: Uint8Array): void {
    part.size += bytes.byteLength;
    if (part.size > textMaxBytes) throw partTooLarge(part.name.field, "field", textMaxBytes);
    // A view would keep the whole chunk it is part of.
    part.chunks.push(bytes.slice());
    this.#textBytes += bytes.byteLength;
  }

  async #end(): Promise<void> {
    if (this.#file) {
      const { name, head, writer, hash } = this.#file;
      const { field, key } = name;
      const bytes = await writer.end();
      const filename = sanitizeFilename(head.filename ?? "", field);
      // Browsers send a file without name and contents for an input that was left empty.
      const isAbsent = head.filename === "" && bytes.size === 0;
      if (!isAbsent) {
        const sha256 = hash.digest("hex");
        this.#files.push({ key, file: { field, filename, type: head.type, bytes, sha256 } });
      }
    } else if (this.#text) {
      const { name, chunks } = this.#text;
      this.#texts.push({ name, text: decodeText(name.field, chunks) });
    }
    this.#file = undefined;
    this.#text = undefined;
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Neither NUL nor what is not UTF-8 can be stored or sent on. */
function decodeText(field: string, chunks: readonly Uint8Array[]): string {
  try {
    const text = decoder.decode(Buffer.concat(chunks));
    if (!text.includes("\0")) return text;
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
  }
  throw brokenMultipart("it is not UTF-8 without NUL in the text", field);
}

function tooManyFiles(field: string, max: number): Fault {
  const sentence = `Invalid '${field}': too many files. Expected at most ${max}.`;
  return new Fault("array_above_max_length", sentence, { param: field });
}

/** Files of a field that numbers all of them are in that order. */
function sortByIndex<Kept>(files: readonly Indexed<Kept>[]): readonly FormFile<Kept>[] {
  const isNumbered = files.every(({ key }) => key !== undefined && key !== "");
  const sorted = isNumbered
    ? files.toSorted((one, other) => Number(one.key) - Number(other.key))
    : files;
  return sorted.map(({ file }) => file);
}
