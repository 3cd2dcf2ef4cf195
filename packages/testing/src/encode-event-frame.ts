// Writes frames of an AWS event stream, for upstreams that imitate Amazon Bedrock: independent of the codec
// that the gateway reads them with.
// https://docs.aws.amazon.com/lexv2/latest/dg/event-stream-encoding.html
import { crc32 } from "node:zlib";

/** The type of a header whose value is a string. */
const stringType = 7;

/** One frame with headers that are all strings. */
export function encodeEventFrame(
  headers: Readonly<Record<string, string>>,
  payload: string,
): Buffer {
  const head = Buffer.concat(
    Object.entries(headers).map(([name, value]) => encodeHeader(name, value)),
  );
  const body = Buffer.from(payload);
  const frame = Buffer.alloc(12 + head.length + body.length + 4);
  frame.writeUInt32BE(frame.length, 0);
  frame.writeUInt32BE(head.length, 4);
  frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8);
  head.copy(frame, 12);
  body.copy(frame, 12 + head.length);
  frame.writeUInt32BE(crc32(frame.subarray(0, -4)), frame.length - 4);
  return frame;
}

function encodeHeader(name: string, value: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(Buffer.byteLength(value));
  return Buffer.concat([
    Buffer.of(Buffer.byteLength(name)),
    Buffer.from(name),
    Buffer.of(stringType),
    length,
    Buffer.from(value),
  ]);
}

/** An event of a model as Bedrock sends it, with the padding that hides its length. */
export function encodeModelEvent(json: string): Buffer {
  const headers = {
    ":event-type": "chunk",
    ":content-type": "application/json",
    ":message-type": "event",
  };
  const bytes = Buffer.from(json).toString("base64");
  return encodeEventFrame(headers, JSON.stringify({ bytes, p: "abcdefghijk" }));
}

/** What Bedrock sends instead of the next event. */
export function encodeException(name: string, body: object): Buffer {
  const headers = {
    ":exception-type": name,
    ":content-type": "application/json",
    ":message-type": "exception",
  };
  return encodeEventFrame(headers, JSON.stringify(body));
}
