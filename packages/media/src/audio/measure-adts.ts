// The duration of a stream of AAC frames (ADTS): the sum of what each frame holds. Frames are found again after what is none.
import { aacRates } from "./packet-seconds.ts";

/** Source: ISO/IEC 13818-7, 6.2. Undefined without any frame. */
export function measureAdts(bytes: Buffer): number | undefined {
  let seconds = 0;
  for (let at = 0; at + 7 <= bytes.length; ) {
    const length = frameBytes(bytes, at);
    if (length === undefined) {
      const next = bytes.indexOf(0xff, at + 1);
      if (next === -1) break;
      at = next;
      continue;
    }
    const rate = aacRates[(bytes.readUInt8(at + 2) >> 2) & 15];
    const blocks = (bytes.readUInt8(at + 6) & 3) + 1;
    if (rate) seconds += (blocks * 1_024) / rate;
    at += length;
  }
  return seconds > 0 ? seconds : undefined;
}

function frameBytes(bytes: Buffer, at: number): number | undefined {
  if ((bytes.readUInt16BE(at) & 0xfff6) !== 0xfff0) return undefined;
  const length = (bytes.readUIntBE(at + 3, 3) >>> 5) & 0x1fff;
  return length < 7 ? undefined : length;
}
