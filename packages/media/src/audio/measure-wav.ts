// The duration of a WAV file from its own bytes, without a library: libraries trust the length in the header, and some do
// not end where it is wrong. Source: Microsoft's RIFF and WAVEFORMATEX.

/** More chunks than a file has before its sound. */
const chunksMax = 64;
/** What programs write that do not know the length yet: these and zero. */
const unknownLengthMin = 0x7fff_0000;

/** A file, of which only the heads of its chunks are read. */
export type WavFile = {
  readonly size: number;
  /** As many bytes, or what is left of the file. */
  readonly read: (at: number, length: number) => Buffer;
};

/** Undefined for what is compressed, and where decoders could differ in what they read. */
export function measureWav({ size, read }: WavFile): number | undefined {
  let bytesPerSecond: number | undefined;
  let at = 12;
  for (let chunk = 0; chunk < chunksMax && at + 8 <= size; chunk += 1) {
    const head = read(at, 8);
    if (head.length < 8) return undefined;
    const name = head.toString("latin1", 0, 4);
    const length = head.readUInt32LE(4);
    const start = at + 8;
    if (name === "data") {
      if (bytesPerSecond === undefined) return undefined;
      const stated = length < unknownLengthMin ? length : 0;
      return Math.max(stated, size - start) / bytesPerSecond;
    }
    if (name === "fmt ") {
      if (bytesPerSecond !== undefined) return undefined;
      bytesPerSecond = rateOf(read(start, Math.min(length, formatMaxBytes)));
      if (bytesPerSecond === undefined) return undefined;
    }
    at = start + length + (length % 2);
  }
  return undefined;
}

/** What is read of a format. */
const formatMaxBytes = 40;
const plainTags: ReadonlySet<number> = new Set([1, 3, 6, 7]);
const extensible = 0xfffe;
/** What follows the format tag in the GUID of a subformat. Source: Microsoft's ksmedia.h. */
const subformatTail = "000000001000800000aa00389b71";

/** The least of what its fields say, so that the sound is never shorter for one decoder than for us. */
function rateOf(format: Buffer): number | undefined {
  if (format.length < 16) return undefined;
  const tag = tagOf(format);
  if (tag === undefined || !plainTags.has(tag)) return undefined;
  const perSecond = format.readUInt32LE(4);
  const rates = [
    format.readUInt32LE(8),
    perSecond * format.readUInt16LE(12),
    perSecond * format.readUInt16LE(2) * (format.readUInt16LE(14) / 8),
  ];
  const least = Math.min(...rates);
  return least > 0 ? least : undefined;
}

function tagOf(format: Buffer): number | undefined {
  const tag = format.readUInt16LE(0);
  if (tag !== extensible) return tag;
  if (format.length < formatMaxBytes || format.toString("hex", 26, 40) !== subformatTail)
    return undefined;
  return format.readUInt16LE(24);
}
