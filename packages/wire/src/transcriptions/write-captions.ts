// Writes captions from the segments of a transcript: SubRip and WebVTT differ in their head, their numbers and one sign.
// Source: https://www.w3.org/TR/webvtt1/
export type CaptionSegment = {
  /** In seconds. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
};

export function writeSrt(segments: readonly CaptionSegment[]): string {
  return segments
    .map(({ start, end, text }, index) => {
      const times = `${timeOf(start, ",")} --> ${timeOf(end, ",")}`;
      return `${index + 1}\n${times}\n${oneParagraph(text)}\n`;
    })
    .join("\n");
}

export function writeVtt(segments: readonly CaptionSegment[]): string {
  const cues = segments.map(
    ({ start, end, text }) =>
      `${timeOf(start, ".")} --> ${timeOf(end, ".")}\n${escapeCue(oneParagraph(text))}\n`,
  );
  return ["WEBVTT\n", ...cues].join("\n");
}

/** A blank line would end it. */
function oneParagraph(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").join("\n");
}

function escapeCue(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("-->", "--&gt;");
}

function timeOf(seconds: number, point: "," | "."): string {
  const totalMs = Math.max(0, Math.round(seconds * 1_000));
  const digits = (value: number, length = 2) => String(value).padStart(length, "0");
  const hours = digits(Math.floor(totalMs / 3_600_000));
  const minutes = digits(Math.floor(totalMs / 60_000) % 60);
  const rest = digits(Math.floor(totalMs / 1_000) % 60);
  return `${hours}:${minutes}:${rest}${point}${digits(totalMs % 1_000, 3)}`;
}
