// The duration of Opus in Ogg: the sum over all packets of all streams in the file, one after the other or interleaved. The
// positions that pages state are not read.
import { opusSeconds } from "./packet-seconds.ts";

export type OggOpus = {
  readonly seconds: number;
  readonly hasFlac: boolean;
  /** Whether the file has streams of other codecs. */
  readonly hasOthers: boolean;
  /** Where streams begin after others have: each is a file of its own. */
  readonly links: readonly number[];
};

const isContinued = 1;
const isFirst = 2;
const pageHeaderBytes = 27;
/** Source: RFC 3533, 6: 255 segments of 255 bytes. */
export const oggPageMaxBytes = pageHeaderBytes + 255 + 255 * 255;

/** Source: RFC 3533, 6, and RFC 7845, 3. */
export function measureOggOpus(bytes: Buffer): OggOpus {
  let seconds = 0;
  let hasFlac = false;
  let hasOthers = false;
  let wasFirst = false;
  const links: number[] = [];
  /** Packets still to come that have no sound, by stream. */
  const headers = new Map<number, number>();
  for (let at = bytes.indexOf("OggS"); at !== -1; ) {
    const page = parsePage(bytes, at);
    if (page === undefined) {
      at = bytes.indexOf("OggS", at + 4);
      continue;
    }
    const { flags, stream, packets, end } = page;
    if ((flags & isFirst) !== 0) {
      if (!wasFirst) links.push(at);
      const mark = bytes.toString("latin1", packets[0], (packets[0] ?? 0) + 8);
      const isOpus = mark === "OpusHead";
      // Source: RFC 9639, 10.1.
      const isFlac = mark.startsWith("\x7fFLAC");
      if (isOpus) headers.set(stream, 2);
      else headers.delete(stream);
      hasFlac ||= isFlac;
      hasOthers ||= !isOpus && !isFlac;
    }
    wasFirst = (flags & isFirst) !== 0;
    for (const start of packets) {
      const left = headers.get(stream);
      if (left === undefined) break;
      if (left > 0) headers.set(stream, left - 1);
      else seconds += opusSeconds(bytes[start], bytes[start + 1]);
    }
    at = bytes.indexOf("OggS", end);
  }
  return { seconds, hasFlac, hasOthers, links };
}

/** Where packets begin in a page; one that is continued began before. */
export function parsePage(bytes: Buffer, at: number) {
  if (at + pageHeaderBytes > bytes.length || bytes[at + 4] !== 0) return undefined;
  const flags = bytes.readUInt8(at + 5);
  const stream = bytes.readUInt32LE(at + 14);
  const count = bytes.readUInt8(at + 26);
  const packets: number[] = [];
  let start = at + pageHeaderBytes + count;
  if (start > bytes.length) return undefined;
  let isNew = (flags & isContinued) === 0;
  for (const size of bytes.subarray(at + pageHeaderBytes, start)) {
    if (isNew && size > 0) packets.push(start);
    start += size;
    isNew = size < 255;
  }
  return { flags, stream, packets, end: start };
}
