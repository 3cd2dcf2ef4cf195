// The boxes of an MP4 of one type, wherever they are: which of two that contradict each other a decoder reads is not known.
// Source: ISO/IEC 14496-12, 4.2.

export const boxHeadBytes = 8;
/** A file with more is not measured: each may claim to be as long as the file. */
const boxesMax = 64;

/** What follows their names. Throws for too many. */
export function findBoxes(bytes: Buffer, type: string): readonly Buffer[] {
  const found: Buffer[] = [];
  for (let at = bytes.indexOf(type, 4); at !== -1; at = bytes.indexOf(type, at + type.length)) {
    const size = bytes.readUInt32BE(at - 4);
    const start = at - 4 + boxHeadBytes;
    if (found.length === boxesMax) throw new Error(`more than ${boxesMax} boxes ${type}`);
    // One is for a size of 64 bits after the name, zero for the rest of the file.
    if (size === 1) found.push(bytes.subarray(start + boxHeadBytes));
    else found.push(bytes.subarray(start, size === 0 ? undefined : at - 4 + size));
  }
  return found;
}
