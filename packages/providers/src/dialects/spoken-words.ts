// A transcript made of words with their times, as services for audio alone write it. What a caller reads in segments is made of
// its words here: a segment is a sentence of one speaker, and never longer than a caption may be.
import type { JsonObject } from "@turnpike/base";
import type { TranscriptionRequest, TranscriptSegment } from "@turnpike/wire";
import type { WholeAnswer } from "../provider.ts";
import { unreadable } from "../refusals/refuse.ts";

export type SpokenWord = {
  /** With what stands before it, if that is no space. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Undefined where speakers are not told apart. */
  readonly speaker: string | undefined;
};

/** Two lines of 42 characters, as long as they can be read. */
const longestChars = 84;
const longestSeconds = 7;
/** Who pauses for longer begins anew. */
const pauseSeconds = 1;

type Heard = {
  readonly text: string;
  readonly language: string | undefined;
  readonly durationSeconds: number | undefined;
  readonly words: readonly SpokenWord[];
};

/** Throws the Fault of a transcript without the times that its caller asked for. */
export function transcriptOf(
  { text, language, durationSeconds, words }: Heard,
  request: TranscriptionRequest,
): WholeAnswer["content"] {
  if (words.length === 0 && text.trim() !== "" && needsTimes(request)) throw unreadable();
  return {
    kind: "transcript",
    text,
    language,
    durationSeconds,
    segments: joinWords(words).map((segment, index) => presentSegment(segment, index, request)),
    words: words.map(({ text: word, start, end }) => ({ word: word.trim(), start, end })),
    logprobs: undefined,
  };
}

/** Whether speakers are to be told apart. */
export function tellsSpeakers({ format, parsed }: TranscriptionRequest): boolean {
  return format === "diarized_json" || parsed.diarize === true;
}

function needsTimes({ format }: TranscriptionRequest): boolean {
  return format !== "json" && format !== "text";
}

/** In OpenAI's words. */
function presentSegment(
  { speaker, ...segment }: SpokenWord,
  index: number,
  request: TranscriptionRequest,
): TranscriptSegment {
  if (!tellsSpeakers(request)) return { id: index, ...segment };
  const type = "transcript.text.segment";
  return { type, id: `seg_${index}`, ...segment, speaker: speaker ?? "speaker_0" };
}

/** Each segment as one long word. */
export function joinWords(words: readonly SpokenWord[]): readonly SpokenWord[] {
  const segments: SpokenWord[] = [];
  for (const word of words) {
    const last = segments.at(-1);
    if (last === undefined || beginsAnew(last, word)) {
      segments.push({ ...word, text: word.text.trim() });
    } else {
      segments[segments.length - 1] = { ...last, text: last.text + word.text, end: word.end };
    }
  }
  return segments;
}

function beginsAnew(last: SpokenWord, word: SpokenWord): boolean {
  return (
    last.speaker !== word.speaker ||
    /[.!?…。!?]["'”’)\]]?$/u.test(last.text) ||
    word.start - last.end > pauseSeconds ||
    word.end - last.start > longestSeconds ||
    last.text.length + word.text.length > longestChars
  );
}

/** The times of a word; undefined if they are none. */
export function timesOf({ start, end }: JsonObject): Pick<SpokenWord, "start" | "end"> | undefined {
  return typeof start === "number" && typeof end === "number" ? { start, end } : undefined;
}
