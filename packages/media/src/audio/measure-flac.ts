// The duration of FLAC: the sum of its frames, each found by a header whose checksum is right, which is how decoders find them
// too. The length in the file's own header is not read, and files that were joined to one count with all their frames.

const crcTable = Uint8Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit += 1) sum = ((sum << 1) ^ (sum & 0x80 ? 0x07 : 0)) & 0xff;
  return sum;
});

/** By the code in the header; zero: at its end, or that of the file. Source: RFC 9639, 9.1.2. */
const rates = [
  0, 88_200, 176_400, 192_000, 8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000,
] as const;

/** Undefined without any frame. */
export function measureFlac(bytes: Buffer): number | undefined {
  const start = bytes.indexOf("fLaC", 0, "latin1");
  if (start === -1 || bytes.length < start + 22) return undefined;
  const seconds = flacSeconds(bytes.subarray(start), bytes.readUIntBE(start + 18, 3) >> 4);
  return seconds > 0 ? seconds : undefined;
}

/** Of all frames in there; `fileRate` is for those that say none. */
export function flacSeconds(bytes: Buffer, fileRate: number): number {
  let seconds = 0;
  for (let at = bytes.indexOf(0xff); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    if ((bytes[at + 1] ?? 0) >> 1 !== 0x7c) continue;
    const frame = parseFrame(bytes.subarray(at, at + 16));
    const rate = frame?.rate || fileRate;
    if (frame && rate > 0) seconds += frame.samples / rate;
  }
  return seconds;
}

/** Source: RFC 9639, 9.1. */
function parseFrame(head: Buffer): { readonly samples: number; readonly rate: number } | undefined {
  const [, , sizes = 0, channels = 0, number = 0] = head;
  const sizeCode = sizes >> 4;
  const rateCode = sizes & 15;
  if (sizeCode === 0 || rateCode === 15 || channels >> 4 > 10 || (channels & 1) !== 0)
    return undefined;
  let at = 4 + numberBytes(number);
  const sizeAt = at;
  if (sizeCode === 6) at += 1;
  if (sizeCode === 7) at += 2;
  const rateAt = at;
  if (rateCode === 12) at += 1;
  if (rateCode > 12) at += 2;
  if (at >= head.length || checksum(head, at) !== head[at]) return undefined;
  return { samples: samplesOf(head, sizeCode, sizeAt), rate: rateOf(head, rateCode, rateAt) };
}

/** Of a number that is written as UTF-8 writes a character, with up to seven bytes. */
function numberBytes(first: number): number {
  return first < 0x80 ? 1 : Math.max(1, Math.clz32(~(first << 24)));
}

function checksum(head: Buffer, end: number): number {
  let sum = 0;
  for (let at = 0; at < end; at += 1) sum = crcTable[sum ^ (head[at] ?? 0)] ?? 0;
  return sum;
}

function samplesOf(head: Buffer, code: number, at: number): number {
  if (code === 1) return 192;
  if (code === 6) return head.readUInt8(at) + 1;
  if (code === 7) return head.readUInt16BE(at) + 1;
  return code < 6 ? 144 * 2 ** code : 2 ** code;
}

function rateOf(head: Buffer, code: number, at: number): number {
  if (code < 12) return rates[code] ?? 0;
  if (code === 12) return head.readUInt8(at) * 1_000;
  return head.readUInt16BE(at) * (code === 13 ? 1 : 10);
}
