// The framing of AWS event streams: each frame begins with its length and a checksum, then has headers, a
// payload and a checksum at its end. Frames are cut out of the bytes as they arrive, and nothing damaged
// is read. https://docs.aws.amazon.com/lexv2/latest/dg/event-stream-encoding.html

import { EventStreamCodec } from "@smithy/core/event-streams";
import { Fault } from "@turnpike/base";

/** Lengths of the frame and its headers, and their checksum. */
const preludeBytes = 12;

export type EventFrame = {
  /** `event`, `exception` or `error`. */
  readonly kind: string;
  /** Name of the event or exception, or the code of an error. */
  readonly name: string;
  readonly text: string;
};

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const codec = new EventStreamCodec(
  (bytes) => (typeof bytes === "string" ? bytes : decoder.decode(bytes)),
  (text) => encoder.encode(text),
);

export class EventFrames {
  readonly #maxBytes: number;
  /** Copies, because the network's own buffers may be large; joined once, when the frame is complete. */
  #parts: Uint8Array[] = [];
  #sizeBytes = 0;
  /** Nothing can be read before this many bytes have arrived. */
  #wantedBytes = preludeBytes;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The frames that `bytes` complete. Throws a Fault at the first that is damaged or too long. */
  *push(bytes: Uint8Array): Generator<EventFrame, undefined> {
    if (this.#sizeBytes + bytes.length < this.#wantedBytes) return this.#keep(bytes);
    const all = this.#parts.length === 0 ? bytes : Buffer.concat([...this.#parts, bytes]);
    let at = 0;
    this.#wantedBytes = preludeBytes;
    while (all.length - at >= preludeBytes) {
      const length = parseLength(all, at);
      if (length > this.#maxBytes) {
        throw new Fault("bad_gateway", "The upstream provider sent an event that is too long.");
      }
      if (all.length - at < length) {
        this.#wantedBytes = length;
        break;
      }
      yield decode(all.subarray(at, at + length));
      at += length;
    }
    this.#parts = [];
    this.#sizeBytes = 0;
    if (at < all.length) this.#keep(all.subarray(at));
    return undefined;
  }

  #keep(bytes: Uint8Array): undefined {
    this.#parts.push(bytes.slice());
    this.#sizeBytes += bytes.length;
  }
}

function damaged(cause?: unknown): Fault {
  return new Fault("bad_gateway", "The upstream provider sent a damaged event.", { cause });
}

/** The length of the whole frame. Throws if the prelude's checksum shows that it is damaged. */
function parseLength(bytes: Uint8Array, at: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at);
  const checksum = Bun.hash.crc32(bytes.subarray(at, at + 8));
  if (checksum !== view.getUint32(8)) throw damaged();
  return view.getUint32(0);
}

function decode(frame: Uint8Array): EventFrame {
  try {
    const { headers, body } = codec.decode(frame);
    const read = (name: string) => String(headers[name]?.value ?? "");
    const kind = read(":message-type");
    if (kind === "error") return { kind, name: read(":error-code"), text: read(":error-message") };
    const name = read(kind === "exception" ? ":exception-type" : ":event-type");
    return { kind, name, text: decoder.decode(body) };
  } catch (thrown) {
    throw damaged(thrown);
  }
}
