// What is known of a request to write down what an audio file says, or to translate it into English. Its duration is
// measured here, never taken from the caller.
import type { transcriptFormats } from "../fields/operations/transcription-fields.ts";
import type { OperationRequest } from "../operations/operation-request.ts";
import type { UploadedFile } from "../protocol/uploaded-form.ts";

export type TranscriptFormat = (typeof transcriptFormats)[number];

export type TranscriptionRequest = OperationRequest<"transcription"> & {
  /** `translate`: into English. */
  readonly task: "transcribe" | "translate";
  readonly format: TranscriptFormat;
  /** ISO 639-1. */
  readonly audioLanguage: string | undefined;
  readonly prompt: string | undefined;
  readonly temperature: number | undefined;
  readonly granularities: readonly ("word" | "segment")[];
  /** To bill where a provider reports nothing. */
  readonly durationMs: number;
  /** To hold for: not less. */
  readonly holdMs: number;
  readonly audio: UploadedFile;
};

/** The field for which an answer needs the times of what is said; undefined if it needs none. */
export function fieldOfTimes({
  format,
  granularities,
}: Pick<TranscriptionRequest, "format" | "granularities">):
  | "response_format"
  | "timestamp_granularities"
  | undefined {
  if (format === "srt" || format === "vtt") return "response_format";
  return granularities.length > 0 ? "timestamp_granularities" : undefined;
}
