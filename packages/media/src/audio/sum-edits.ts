// How long the edits of an MP4 make its sound: an edit list may play a part of a track any number of times, and decoders follow it.
// Source: ISO/IEC 14496-12, 8.6.6.

const headBytes = 8;
/** A file with more is not measured: each may claim to be as long as the file. */
const boxesMax = 64;

/** Of the track with the longest list, whose every edit plays at most `mediaSeconds`. Zero without any; throws for too many. */
export function sumEdits(bytes: Buffer, mediaSeconds: number): number {
  const timescale = Math.min(...findBoxes(bytes, "mvhd").map(timescaleOf));
  if (!Number.isFinite(timescale)) return 0;
  const lists = findBoxes(bytes, "elst").map((box) =>
    durationsOf(box).reduce((sum, duration) => {
      // Of none, as streams have it: to the end.
      const seconds = duration === 0 ? mediaSeconds : duration / timescale;
      return sum + Math.min(seconds, mediaSeconds);
    }, 0),
  );
  return lists.reduce((most, seconds) => Math.max(most, seconds), 0);
}

/** What follows the names of all boxes of this type, wherever they are. */
function findBoxes(bytes: Buffer, type: string): readonly Buffer[] {
  const found: Buffer[] = [];
  for (let at = bytes.indexOf(type, 4); at !== -1; at = bytes.indexOf(type, at + type.length)) {
    const size = bytes.readUInt32BE(at - 4);
    const start = at - 4 + headBytes;
    if (found.length === boxesMax) throw new Error(`more than ${boxesMax} boxes ${type}`);
    // One is for a size of 64 bits after the name, zero for the rest of the file.
    if (size === 1) found.push(bytes.subarray(start + headBytes));
    else found.push(bytes.subarray(start, size === 0 ? undefined : at - 4 + size));
  }
  return found;
}

/** Infinite where there is none. */
function timescaleOf(box: Buffer): number {
  const at = box[0] === 1 ? 20 : 12;
  return (box.length < at + 4 ? 0 : box.readUInt32BE(at)) || Number.POSITIVE_INFINITY;
}

function durationsOf(box: Buffer): readonly number[] {
  const isLong = box[0] === 1;
  const entryBytes = isLong ? 20 : 12;
  if (box.length < headBytes) return [];
  const fitting = Math.floor((box.length - headBytes) / entryBytes);
  const count = Math.min(box.readUInt32BE(4), fitting);
  return Array.from({ length: count }, (_, index) => {
    const at = headBytes + index * entryBytes;
    return isLong ? Number(box.readBigUInt64BE(at)) : box.readUInt32BE(at);
  });
}
