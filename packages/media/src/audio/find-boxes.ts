// The boxes of one type in an MP4, in whatever other box they are: decoders read them there too. Bytes of the sound itself are never
// taken for a box. Source: ISO/IEC 14496-12, 4.2.

export const boxHeadBytes = 8;
/** Decoders go no deeper. */
const depthMax = 10;

const parents: ReadonlySet<string> = new Set(
  "moov trak edts mdia minf stbl dinf udta mvex tref sinf schi wave moof traf".split(" "),
);

/** What follows their heads. */
export function findBoxes(bytes: Buffer, type: string, depth = 0): readonly Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at + boxHeadBytes <= bytes.length; ) {
    const name = bytes.toString("latin1", at + 4, at + boxHeadBytes);
    const { start, end } = extentOf(bytes, at);
    if (end < start) break;
    const contents = bytes.subarray(start, end);
    if (name === type) found.push(contents);
    else if (parents.has(name) && depth < depthMax) {
      for (const box of findBoxes(contents, type, depth + 1)) found.push(box);
    }
    at = end;
  }
  return found;
}

/** A size of one is for one of 64 bits after the name, zero for the rest. */
function extentOf(bytes: Buffer, at: number) {
  const size = bytes.readUInt32BE(at);
  const start = at + boxHeadBytes;
  if (size === 0) return { start, end: bytes.length };
  if (size !== 1) return { start, end: at + size };
  if (start + 8 > bytes.length) return { start, end: bytes.length };
  return { start: start + 8, end: at + Number(bytes.readBigUInt64BE(start)) };
}
