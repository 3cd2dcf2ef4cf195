// Reads a request to estimate a transcription: the fields of the form, and instead of the audio itself only how long it lasts.
import { badValue, missing } from "../checks/body-fault.ts";
import { parseJsonBody } from "../json/parse-json-body.ts";
import { bytesInMemory, ChunkList } from "../multipart/file-bytes.ts";
import type { UploadedFile } from "../protocol/uploaded-form.ts";
import { parseTranscriptionForm } from "./parse-transcription-request.ts";
import type { TranscriptionRequest } from "./transcription-request.ts";

/** As long as any model in a catalog may take. */
const secondsMax = 86_400;

/** Throws the Fault that names the invalid field. */
export function parseTranscriptionEstimate(raw: string): TranscriptionRequest {
  const { duration_seconds: seconds, ...fields } = parseJsonBody(raw).parsed;
  if (seconds === undefined) throw missing("duration_seconds");
  if (typeof seconds !== "number" || !(seconds > 0 && seconds <= secondsMax)) {
    throw badValue("duration_seconds", `expected a number above 0, at most ${secondsMax}.`);
  }
  return parseTranscriptionForm("transcribe", { fields, files: [audioOf(seconds)] }, raw);
}

/** Stands for audio of that length in what is measured and routed; it has no content to send. */
function audioOf(seconds: number): UploadedFile {
  const durationMs = Math.ceil(seconds * 1_000);
  return {
    field: "file",
    filename: "audio.wav",
    type: undefined,
    bytes: bytesInMemory(new ChunkList()),
    mediaType: "audio/wav",
    extension: "wav",
    durationMs,
    holdMs: durationMs,
  };
}
