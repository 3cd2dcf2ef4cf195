// Whether a track of an MP4 has sound of several codecs or rates: each of its packets names one of its descriptions, and a library
// that reads containers knows only one of them. Source: ISO/IEC 14496-12, 8.5.2.
import { boxHeadBytes, findBoxes } from "./find-boxes.ts";

const pictures = /^(?:avc|hvc|hev|vp0|av0|mp4v)/;

export function changesCodec(bytes: Buffer): boolean {
  return findBoxes(bytes, "stsd").some(hasSeveral);
}

/** Descriptions that are equal are one. */
function hasSeveral(box: Buffer): boolean {
  if (box.length < boxHeadBytes) return false;
  const count = box.readUInt32BE(4);
  let first: Buffer | undefined;
  let at = boxHeadBytes;
  for (let index = 0; index < count && at + boxHeadBytes <= box.length; index += 1) {
    const size = box.readUInt32BE(at);
    const description = box.subarray(at, at + size);
    if (pictures.test(description.toString("latin1", 4, boxHeadBytes))) return false;
    first ??= description;
    if (size < boxHeadBytes || !description.equals(first)) return true;
    at += size;
  }
  return false;
}
