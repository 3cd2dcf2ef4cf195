// Asks for a text to be spoken. The audio is whole before it can be played; what it cost, only Logs know.
import { lost, type MediaFailure, postMedia } from "../media/post-media.ts";

export const speechFormats = ["mp3", "opus", "aac", "flac", "wav", "pcm"] as const;
export type SpeechFormat = (typeof speechFormats)[number];

/** What is left out is up to the model. */
export type SpeechFields = {
  readonly model: string;
  readonly input: string;
  readonly voice?: string;
  readonly response_format: SpeechFormat;
  readonly speed?: number;
  readonly instructions?: string;
};

export type Spoken = {
  readonly kind: "spoken";
  readonly file: File;
  readonly format: SpeechFormat;
  readonly generationId: string | undefined;
};

export async function speak(
  fields: SpeechFields,
  signal: AbortSignal,
): Promise<Spoken | MediaFailure> {
  const answer = await postMedia("speech", fields, signal);
  if (answer.kind === "failed") return answer;
  const { response, requestId, generationId } = answer;
  const format = fields.response_format;
  try {
    const bytes = await response.arrayBuffer();
    const type = response.headers.get("content-type") ?? "application/octet-stream";
    const file = new File([bytes], `speech.${format}`, { type });
    return { kind: "spoken", file, format, generationId };
  } catch {
    return lost(requestId);
  }
}
