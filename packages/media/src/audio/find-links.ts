// Where files that were joined to one begin. Decoders play one after the other, and a library that reads containers only the
// first, so each is measured for itself.
import type { MediaFormat } from "../content/media-format.ts";
import { measureOggOpus } from "./measure-ogg-opus.ts";

/** More are not measured. */
export const linksMax = 64;

/** At least one; more than `linksMax` only to say so. */
export function findLinks(bytes: Buffer, format: MediaFormat): readonly number[] {
  if (format === "ogg") return startsOf(measureOggOpus(bytes).links);
  if (format === "webm") return startsOf(findEbmlHeaders(bytes));
  return [0];
}

/** What precedes the first one is a tag of it. */
function startsOf([, ...later]: readonly number[]): readonly number[] {
  return [0, ...later];
}

const ebmlMark = "\x1a\x45\xdf\xa3";

function findEbmlHeaders(bytes: Buffer): readonly number[] {
  const found: number[] = [];
  for (let at = bytes.indexOf(ebmlMark, 0, "latin1"); at !== -1 && found.length <= linksMax; ) {
    if (isEbmlHeader(bytes, at)) found.push(at);
    at = bytes.indexOf(ebmlMark, at + ebmlMark.length, "latin1");
  }
  return found;
}

function isEbmlHeader(bytes: Buffer, at: number): boolean {
  return /webm|matroska/.test(bytes.toString("latin1", at + 4, at + 64));
}
