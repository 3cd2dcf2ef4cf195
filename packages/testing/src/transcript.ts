// What the scripted upstream hears in a file, and the forms in which it can say so: every fifth second is a segment, and the
// words are spread evenly over all of them.

export type Transcript = {
  readonly text: string;
  readonly seconds: number;
  readonly segments: readonly Segment[];
  readonly words: readonly Word[];
};

export type Segment = {
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** They take turns. */
  readonly speaker: "A" | "B";
};

export type Word = { readonly word: string; readonly start: number; readonly end: number };

const segmentSeconds = 5;

export function transcriptOf(text: string, seconds: number): Transcript {
  const all = text.split(/\s+/).filter((word) => word !== "");
  const rounded = (value: number) => Math.round(value * 100) / 100;
  const words = all.map((word, index) => ({
    word,
    start: rounded((index * seconds) / all.length),
    end: rounded(((index + 1) * seconds) / all.length),
  }));
  const count = Math.max(1, Math.ceil(seconds / segmentSeconds));
  const segments = Array.from({ length: count }, (_, index): Segment => {
    const start = index * segmentSeconds;
    const end = Math.min(rounded(seconds), start + segmentSeconds);
    const own = words.filter(
      (word) => word.start >= start && (word.start < end || index === count - 1),
    );
    const said = own.map(({ word }) => ` ${word}`).join("");
    return { index, start, end, text: said, speaker: index % 2 === 0 ? "A" : "B" };
  });
  return { text, seconds, segments, words };
}

export function asSrt({ segments }: Transcript): string {
  return segments
    .map(
      ({ index, start, end, text }) =>
        `${index + 1}\n${clock(start, ",")} --> ${clock(end, ",")}\n${text.trim()}\n\n`,
    )
    .join("");
}

export function asVtt({ segments }: Transcript): string {
  const cues = segments.map(
    ({ start, end, text }) => `${clock(start, ".")} --> ${clock(end, ".")}\n${text.trim()}\n\n`,
  );
  return `WEBVTT\n\n${cues.join("")}`;
}

function clock(seconds: number, mark: string): string {
  const milliseconds = Math.round(seconds * 1_000);
  const digits = (value: number, count: number) => String(Math.floor(value)).padStart(count, "0");
  const parts = [
    milliseconds / 3_600_000,
    (milliseconds / 60_000) % 60,
    (milliseconds / 1_000) % 60,
  ];
  return `${parts.map((part) => digits(part, 2)).join(":")}${mark}${digits(milliseconds % 1_000, 3)}`;
}

export function asVerbose(
  { text, seconds, segments, words }: Transcript,
  granularities: readonly string[],
) {
  return {
    task: "transcribe",
    language: "english",
    duration: seconds,
    text,
    ...(granularities.includes("word") && { words }),
    ...(granularities.includes("segment") && {
      segments: segments.map(({ index, start, end, text: said }) => ({
        id: index,
        seek: 0,
        start,
        end,
        text: said,
        tokens: [50_364],
        temperature: 0,
        avg_logprob: -0.2,
        compression_ratio: 1.1,
        no_speech_prob: 0.01,
      })),
    }),
  };
}

export function asDiarized({ text, seconds, segments }: Transcript) {
  return { task: "transcribe", duration: seconds, text, segments: segments.map(diarizedSegment) };
}

export function diarizedSegment({ index, start, end, text, speaker }: Segment) {
  return { type: "transcript.text.segment", id: `seg_${index}`, start, end, text, speaker };
}
