// The images of an answer, for a project that stores answers as they are: told by what they contain, and bounded. What cannot be
// redacted is not stored where something is to be redacted.
import { mediaFormats, sniffFormat } from "@turnpike/media";

export type StoredMedia = {
  /** By content. */
  readonly type: string;
  readonly base64: string;
};

/** Of all files of one answer, in bytes: larger ones are left out, smaller ones after them are not. */
export const mediaMaxBytes = 2 * 1_048_576;
const filesMax = 10;

const member = '"b64_json"';
/** As much as tells every format, in base64: audio may begin with a title. */
const headChars = 87_384;

/** Those of a whole answer, or the finished ones of a stream of events. */
export function findImages(answer: string, isStream: boolean): readonly StoredMedia[] {
  const found: StoredMedia[] = [];
  const isFinished = isStream ? finishedEvents(answer) : () => true;
  let room = mediaMaxBytes;
  let at = answer.indexOf(member);
  while (at >= 0 && found.length < filesMax) {
    const start = answer.indexOf('"', at + member.length) + 1;
    const end = start === 0 ? -1 : answer.indexOf('"', start);
    if (end < 0) break;
    if (bytesOf(end - start) <= room && isFinished(at)) {
      const image = imageOf(answer.slice(start, end).replaceAll("\\/", "/"));
      if (image !== undefined) {
        found.push(image);
        room -= bytesOf(end - start);
      }
    }
    at = answer.indexOf(member, end);
  }
  return found;
}

/**
 * Whether the event that has the data at a place says so, before or after it: previews are not kept. Places are asked for in
 * order, and each event is read once: callers decide how often an event has the name of the data, for instance in their tools.
 */
function finishedEvents(answer: string): (at: number) => boolean {
  let lineEnd = -1;
  let isFinished = false;
  return (at) => {
    if (at >= lineEnd) {
      const lineStart = answer.lastIndexOf("\n", at) + 1;
      const next = answer.indexOf("\n", at);
      lineEnd = next < 0 ? answer.length : next;
      isFinished = answer.slice(lineStart, lineEnd).includes('.completed"');
    }
    return isFinished;
  };
}

function imageOf(base64: string): StoredMedia | undefined {
  return mediaOf(base64, "image");
}

/** Speech in the bytes of an answer; undefined if it is not speech, or too large to be kept. */
export function audioOf(bytes: Buffer): StoredMedia | undefined {
  if (bytes.byteLength > mediaMaxBytes) return undefined;
  return mediaOf(bytes.toString("base64"), "audio");
}

/** Formats that a browser shows or plays without running anything in them. */
const shown = ["png", "jpeg", "webp", "mp3", "wav", "flac", "ogg", "aac"] as const;

function mediaOf(base64: string, kind: "image" | "audio"): StoredMedia | undefined {
  const format = sniffFormat(Buffer.from(base64.slice(0, headChars), "base64"));
  const known = shown.find((name) => name === format);
  if (known === undefined || mediaFormats[known].kind !== kind) return undefined;
  return { type: mediaFormats[known].type, base64 };
}

function bytesOf(chars: number): number {
  return Math.floor((chars * 3) / 4);
}
