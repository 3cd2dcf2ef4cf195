// Sends audio to be written down, or translated into English, when someone has pressed the button for it and not before.
import { asRecord } from "../../../product/completions/parse-chunk.ts";
import { costOfUsage } from "../media/cost-of-usage.ts";
import { lost, type MediaFailure, postMedia } from "../media/post-media.ts";

export const transcriptFormats = {
  json: "Text",
  srt: "SRT captions",
  vtt: "WebVTT captions",
} as const;
export type TranscriptFormat = keyof typeof transcriptFormats;

/** OpenAI's bound, and that of the API. */
export const audioMaxBytes = 25 * 1024 * 1024;

export type TranscriptionRequest = {
  readonly model: string;
  readonly file: File;
  readonly format: TranscriptFormat;
  /** ISO 639-1; empty leaves it to the model. */
  readonly language: string;
  readonly isTranslated: boolean;
};

export type Transcribed = {
  readonly kind: "transcribed";
  readonly text: string;
  readonly format: TranscriptFormat;
  /** Captions have no place for it. */
  readonly costUsd: string | undefined;
  readonly generationId: string | undefined;
};

export async function transcribe(
  { model, file, format, language, isTranslated }: TranscriptionRequest,
  signal: AbortSignal,
): Promise<Transcribed | MediaFailure> {
  const form = new FormData();
  form.append("model", model);
  form.append("response_format", format);
  if (language !== "" && !isTranslated) form.append("language", language);
  form.append("file", file);
  const answer = await postMedia(isTranslated ? "translations" : "transcriptions", form, signal);
  if (answer.kind === "failed") return answer;
  const { response, requestId, generationId } = answer;
  try {
    const body = await response.text();
    const common = { kind: "transcribed", format, generationId } as const;
    if (format !== "json") return { ...common, text: body, costUsd: undefined };
    const { text, usage } = asRecord(JSON.parse(body));
    const said = typeof text === "string" ? text : "";
    return { ...common, text: said, costUsd: costOfUsage(usage) };
  } catch {
    return lost(requestId);
  }
}
