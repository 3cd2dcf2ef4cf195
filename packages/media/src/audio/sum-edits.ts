// How long the edits of an MP4 make its sound: an edit list may play a part of a track any number of times, and decoders follow it.
// Source: ISO/IEC 14496-12, 8.6.6.
import { boxHeadBytes, findBoxes } from "./find-boxes.ts";

/** Of the track with the longest list, whose every edit plays at most `mediaSeconds`. Zero without any. */
export function sumEdits(bytes: Buffer, mediaSeconds: number): number {
  const scales = findBoxes(bytes, "mvhd").map(timescaleOf);
  const timescale = scales.reduce(
    (least, scale) => Math.min(least, scale),
    Number.POSITIVE_INFINITY,
  );
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

/** Infinite where there is none. */
function timescaleOf(box: Buffer): number {
  const at = box[0] === 1 ? 20 : 12;
  return (box.length < at + 4 ? 0 : box.readUInt32BE(at)) || Number.POSITIVE_INFINITY;
}

function durationsOf(box: Buffer): readonly number[] {
  const isLong = box[0] === 1;
  const entryBytes = isLong ? 20 : 12;
  if (box.length < boxHeadBytes) return [];
  const fitting = Math.floor((box.length - boxHeadBytes) / entryBytes);
  const count = Math.min(box.readUInt32BE(4), fitting);
  return Array.from({ length: count }, (_, index) => {
    const at = boxHeadBytes + index * entryBytes;
    return isLong ? Number(box.readBigUInt64BE(at)) : box.readUInt32BE(at);
  });
}
