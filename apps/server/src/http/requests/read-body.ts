// Reads request bodies, each under the limit of its route: the listener has none. A body announced as
// larger is refused unread, and one that grows larger is read no further, both with the usual error.
// The limit also applies to a decompressed body.
import { createGunzip, createInflate, createInflateRaw, createZstdDecompress } from "node:zlib";
import { Fault, isNestedDeeper, jsonDepthMax, withDeadline } from "@turnpike/base";
import type { BodySlot } from "@turnpike/gateway";
import { type Bounds, createFairQueue } from "../../fair-queue.ts";

/** Of a call, and of a request to count or price one. */
export const bodyMaxBytes = 20 * 1024 * 1024;

const bodyWaitMs = 120_000;

/** Written in pieces of this size, each counted before the next one is written. */
const piece = { chunkSize: 64 * 1024 };

/** The decoders of the content codings we accept. */
const decoders = {
  gzip: () => createGunzip(piece),
  // RFC 9110 means zlib's format; many programs send the bare data, as they did to HTTP/1.0.
  deflate: (bytes: Uint8Array) => (isZlib(bytes) ? createInflate(piece) : createInflateRaw(piece)),
  zstd: () => createZstdDecompress(piece),
} as const;

/** RFC 1950: compression method 8, and a header that is a multiple of 31. */
function isZlib([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}

type Coding = keyof typeof decoders;

/** How many bodies of callers are expanded at once: it is work for the processor. */
const expansions = createFairQueue(4);
const expansionBounds: Bounds = {
  most: Number.POSITIVE_INFINITY,
  waitMaxMs: 10_000,
  refusal: "Compressed bodies cannot be expanded now. Please try again in 2s.",
};

export type ReadOptions = {
  /** Where the body is counted as it grows; its account takes turns at expanding bodies. */
  readonly slot?: BodySlot;
  readonly waitMs?: number;
};

/** The most bytes that will arrive, or 0 where no length is declared. */
export function declaredBytes(request: Request, maxBytes: number): number {
  return Math.min(Number(request.headers.get("content-length")), maxBytes);
}

/**
 * The text of the body, without a byte order mark, decompressed if it was sent as gzip, deflate or zstd.
 * Throws `request_too_large`, `invalid_json` for what is not UTF-8 or
 * not validly compressed, `unsupported_media_type`, `request_timeout` for a body that trickles,
 * `client_closed_request`, `overloaded`, or what its slot throws.
 */
export async function readBody(
  request: Request,
  maxBytes: number,
  { slot, waitMs = bodyWaitMs }: ReadOptions = {},
): Promise<string> {
  const coding = parseCoding(request);
  assertType(request);
  const bytes = await readInTime(request, maxBytes, waitMs, slot);
  if (coding === undefined) return decodeCounted(bytes, slot);
  if (slot === undefined) return decode(await expand(bytes, coding, maxBytes));
  return expansions.run(slot.accountId, expansionBounds, async () =>
    decodeCounted(await expand(bytes, coding, maxBytes, slot), slot),
  );
}

/** The same for JSON that is parsed as it is: calls of `/v1` are scanned by `parseJsonBody` of `wire`. */
export async function readPlainJson(
  request: Request,
  maxBytes: number,
  options?: ReadOptions,
): Promise<string> {
  const text = await readBody(request, maxBytes, options);
  assertShallowJson(text);
  return text;
}

/** Throws `invalid_json`. */
export function assertShallowJson(text: string): void {
  if (!isNestedDeeper(text)) return;
  const sentence = `The JSON of your request is nested deeper than ${jsonDepthMax} levels.`;
  throw new Fault("invalid_json", sentence);
}

/**
 * The same for a call, which waits for nothing but its body: `decodeBody` reads the text of bytes. Throws and rejects
 * as `readBody` does.
 */
export function receiveBody(
  request: Request,
  maxBytes: number,
  slot: BodySlot,
): Promise<Uint8Array | string> {
  if (parseCoding(request) !== undefined) return readBody(request, maxBytes, { slot });
  assertType(request);
  return readInTime(request, maxBytes, bodyWaitMs, slot);
}

export function decodeBody(received: Uint8Array | string, slot: BodySlot): string {
  return typeof received === "string" ? received : decodeCounted(received, slot);
}

/** The bytes of the body as received, for signed bodies. Throws as `readBody` does. */
export async function readBytes(
  request: Request,
  maxBytes: number,
  waitMs = bodyWaitMs,
): Promise<Uint8Array> {
  assertEncoding(request);
  assertType(request);
  return readInTime(request, maxBytes, waitMs);
}

/** The text of a body whose type does not matter, such as a form. Throws as `readBody` does. */
export async function readBodyOfAnyType(request: Request, maxBytes: number): Promise<string> {
  assertEncoding(request);
  return decode(await readInTime(request, maxBytes, bodyWaitMs));
}

function readInTime(
  request: Request,
  maxBytes: number,
  waitMs: number,
  slot?: BodySlot,
): Promise<Uint8Array> {
  const declared = request.headers.get("content-length");
  if (declared !== null) {
    if (Number(declared) > maxBytes) throw tooLarge(maxBytes);
    // The runtime enforces the declared length: the body cannot be longer. It stops reading once it is answered.
    return withDeadline<Uint8Array>(request.bytes(), waitMs, throwTooLate, endedEarly);
  }
  if (request.body === null) return Promise.resolve(new Uint8Array());
  const reader = request.body.getReader();
  return withDeadline(readUndeclared(reader, maxBytes, slot), waitMs, () => {
    cancel(reader);
    return throwTooLate(waitMs);
  });
}

/** RFC 9110, 15.5.9. */
function throwTooLate(waitMs: number): never {
  const sentence = `The request body did not arrive within ${waitMs / 1_000} s.`;
  throw new Fault("request_timeout", sentence, { headers: { connection: "close" } });
}

type BodyReader = Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel">;

/** A cancelled reader reads the end of its stream. */
function cancel(reader: BodyReader): void {
  void reader.cancel().catch(() => undefined);
}

async function readUndeclared(
  reader: BodyReader,
  maxBytes: number,
  slot: BodySlot | undefined,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await readPart(reader);
    if (done) return Buffer.concat(parts);
    size += value.byteLength;
    try {
      if (size > maxBytes) throw tooLarge(maxBytes);
      slot?.resize(size);
    } catch (thrown) {
      cancel(reader);
      throw thrown;
    }
    parts.push(value);
  }
}

function assertEncoding(request: Request): void {
  if (contentEncoding(request) === "identity") return;
  throw new Fault("unsupported_media_type", "Send this body without compression.");
}

/** Undefined for a body that is not compressed. */
function parseCoding(request: Request): Coding | undefined {
  const encoding = contentEncoding(request);
  if (encoding === "identity") return undefined;
  if (encoding === "x-gzip") return "gzip";
  if (encoding === "gzip" || encoding === "deflate" || encoding === "zstd") return encoding;
  throw new Fault(
    "unsupported_media_type",
    "Send the body uncompressed, or as gzip, deflate or zstd.",
  );
}

/** Its names are not case-sensitive (RFC 9110, 8.4.1). */
function contentEncoding(request: Request): string {
  return request.headers.get("content-encoding")?.trim().toLowerCase() || "identity";
}

/** Ends as soon as the body is too large, or there is no room for what it has become so far. */
function expand(
  bytes: Uint8Array,
  coding: Coding,
  maxBytes: number,
  slot?: BodySlot,
): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const decoder = decoders[coding](bytes);
  const parts: Uint8Array[] = [];
  let size = 0;
  decoder.on("data", (part: Uint8Array) => {
    size += part.byteLength;
    try {
      if (size > maxBytes) throw tooLarge(maxBytes);
      slot?.resize(size);
    } catch (thrown) {
      reject(thrown);
      decoder.destroy();
      return;
    }
    parts.push(part);
  });
  decoder.on("end", () => resolve(Buffer.concat(parts)));
  decoder.on("error", (cause) => {
    const sentence = `The body of your request is not valid ${coding}.`;
    reject(new Fault("invalid_json", sentence, { cause }));
  });
  decoder.end(bytes);
  return promise;
}

const jsonType = /^application\/(?:[a-z.+-]+\+)?json\s*(?:;|$)/i;

function assertType(request: Request): void {
  const type = request.headers.get("content-type");
  if (type === null || jsonType.test(type)) return;
  throw new Fault("unsupported_media_type", "Send the body as application/json.");
}

const decoder = new TextDecoder("utf-8", { fatal: true });

function decodeCounted(bytes: Uint8Array, slot: BodySlot | undefined): string {
  const text = decode(bytes);
  slot?.resize(memoryOfText(text, bytes.byteLength));
  return text;
}

/** Of a text that has so many bytes in UTF-8: with any character beyond Latin-1, each of them takes two. */
export function memoryOfText(text: string, bytes: number): number {
  return text.length === bytes ? text.length : 2 * text.length;
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new Fault("invalid_json", "The body of your request is not valid UTF-8.", { cause });
  }
}

async function readPart(reader: BodyReader) {
  try {
    return await reader.read();
  } catch (cause) {
    endedEarly(cause);
  }
}

/** An incomplete body is the client's fault. */
function endedEarly(cause: unknown): never {
  const sentence = "The request body ended before it was complete.";
  throw new Fault("client_closed_request", sentence, { cause });
}

function tooLarge(maxBytes: number): Fault {
  const limit = maxBytes < 1_048_576 ? `${maxBytes / 1024} KiB` : `${maxBytes / 1_048_576} MiB`;
  return new Fault("request_too_large", `The request body is larger than ${limit}.`);
}
