// The events that a whole answer would have been streamed in, for a caller who asked for a stream: one for each thing in it, and
// then what it is billed by.
import type { ParsedRequest } from "@turnpike/wire";
import type { StreamEvent, WholeAnswer } from "../provider.ts";
import { unreadable } from "../refusals/refuse.ts";

type Content<Kind extends WholeAnswer["content"]["kind"]> = Extract<
  WholeAnswer["content"],
  { kind: Kind }
>;

/** Throws the Fault of an answer that is never streamed. */
export function eventsOfWhole(whole: WholeAnswer, request: ParsedRequest): StreamEvent[] {
  const { usage, finish, deliveredUnits: units } = whole;
  return [
    ...contentEvents(whole, request),
    ...(usage === undefined ? [] : [{ kind: "usage", usage } as const]),
    ...(units === undefined ? [] : [{ kind: "delivered", units } as const]),
    ...(finish === null ? [] : [{ kind: "finish", ...finish } as const]),
    { kind: "done" },
  ];
}

function contentEvents(whole: WholeAnswer, request: ParsedRequest): StreamEvent[] {
  const { content, finish, deliveredTokens: tokens } = whole;
  const { deliveredAudioTokens: audioTokens, deliveredImages: images } = whole;
  switch (content.kind) {
    case "audio":
      return [audioEvent(content, tokens, request)];
    case "images":
      return content.images.map((image) => imageEvent(content, image, request));
    case "transcript":
      return transcriptEvents(content, tokens);
    default: {
      if (content.kind !== "deltas" || finish === null) throw unreadable();
      const media = {
        ...(audioTokens !== undefined && { audioTokens }),
        ...(images !== undefined && { images }),
      };
      return [{ kind: "deltas", deltas: content.deltas, tokens, ...media }];
    }
  }
}

/** The audio itself, or the one event with it. */
function audioEvent(
  { bytes }: Content<"audio">,
  tokens: number,
  request: ParsedRequest,
): StreamEvent {
  const inEvents = request.operation === "speech" && request.answersInEvents;
  if (!inEvents) return { kind: "frame", bytes, tokens, deltaCount: tokens };
  const audio = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  return { kind: "chunk", json: JSON.stringify({ type: "speech.audio.delta", audio }), tokens };
}

function imageEvent(
  { size, quality, outputFormat, background }: Content<"images">,
  { base64, url }: Content<"images">["images"][number],
  request: ParsedRequest,
): StreamEvent {
  const isEdit = request.operation === "image" && request.references.length > 0;
  const type = `image_${isEdit ? "edit" : "generation"}.completed`;
  const json = JSON.stringify({
    type,
    b64_json: base64,
    url,
    size,
    quality,
    output_format: outputFormat,
    background,
  });
  return { kind: "chunk", json, name: type, tokens: 0, isShown: true };
}

function transcriptEvents(
  { text, segments, logprobs }: Content<"transcript">,
  tokens: number,
): StreamEvent[] {
  const event = (name: string, members: object, count: number): StreamEvent => {
    return { kind: "chunk", json: JSON.stringify({ type: name, ...members }), name, tokens: count };
  };
  const speakers = (segments ?? []).filter(({ speaker }) => speaker !== undefined);
  return [
    event("transcript.text.delta", { delta: text, logprobs }, tokens),
    ...speakers.map((segment) => event("transcript.text.segment", segment, 0)),
    event("transcript.text.done", { text, logprobs }, 0),
  ];
}
