// Reads a request to write down what an audio file says, or to translate it into English, after OpenAI's
// `CreateTranscriptionRequest`: a form, or OpenRouter's JSON with the audio in base64.
import { isObject, type JsonObject } from "@turnpike/base";
import { badValue, missing, unsupported } from "../checks/body-fault.ts";
import { withCommonShapes } from "../fields/operations/operation-field.ts";
import {
  transcriptFormats,
  transcriptionFields,
} from "../fields/operations/transcription-fields.ts";
import { parseJsonBody } from "../json/parse-json-body.ts";
import { parseOperationBody } from "../operations/operation-request.ts";
import { transcriptionsLanguage } from "../protocol/languages.ts";
import type { FilesInJson, FormProtocol } from "../protocol/protocol.ts";
import type { UploadedForm } from "../protocol/uploaded-form.ts";
import type { TranscriptFormat, TranscriptionRequest } from "./transcription-request.ts";

const mebibyte = 1024 * 1024;
/** OpenAI's bound, and OpenRouter's. */
export const audioMaxBytes = 25 * mebibyte;

/** Of an endpoint whose answers are in the language that is spoken, or in English. */
export function transcriptionForm(
  task: TranscriptionRequest["task"],
): FormProtocol<TranscriptionRequest> {
  return {
    bounds: {
      maxBytes: audioMaxBytes + mebibyte,
      files: { file: { maxBytes: audioMaxBytes } },
      shapes: withCommonShapes({
        temperature: "number",
        seed: "number",
        stream: "boolean",
        diarize: "boolean",
        timestamp_granularities: { list: "text" },
        include: { list: "text" },
        known_speaker_names: { list: "text" },
        known_speaker_references: { list: "text" },
        keywords: { list: "text" },
        languages: { list: "text" },
      }),
    },
    media: { file: "audio" },
    filesInJson: parseInputAudio,
    parse: (form, raw) => parseTranscriptionForm(task, form, raw),
  };
}

/** OpenRouter's `input_audio`. Throws the Fault that names what is missing. */
function parseInputAudio(body: string): FilesInJson {
  const { input_audio: audio, ...fields } = parseJsonBody(body).parsed;
  if (!isObject(audio)) throw missing("input_audio");
  const { data, format } = audio;
  if (typeof data !== "string") throw missing("input_audio.data");
  const extension = typeof format === "string" ? format.replace(/\W/g, "").slice(0, 8) : "bin";
  return { fields, files: [audioFile(data, "input_audio.data", extension)] };
}

/** `data`, at `path`, as the file of a form. Throws the Fault of what is no base64. */
export function audioFile(
  data: string,
  path: string,
  extension: string,
): FilesInJson["files"][number] {
  if (/^https?:/i.test(data)) {
    throw badValue(path, "expected the audio in base64: addresses are not fetched.");
  }
  const base64 = data.replace(/^data:[^,]{0,100},/, "").replace(/\s+/g, "");
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) {
    throw badValue(path, "expected base64.");
  }
  return { field: "file", filename: `audio.${extension}`, base64 };
}

export function parseTranscriptionForm(
  task: TranscriptionRequest["task"],
  { fields, files }: UploadedForm,
  raw: string,
): TranscriptionRequest {
  const common = parseOperationBody(JSON.stringify(fields), transcriptionFields);
  const { parsed } = common;
  const [audio] = files;
  if (audio === undefined) throw missing("file");
  const { prompt, language, temperature } = parsed;
  const format = formatOf(parsed);
  const granularities = granularitiesOf(parsed);
  if (granularities.length > 0 && format !== "verbose_json") {
    throw unsupported(
      "timestamp_granularities",
      "Ask for them with `response_format` set to verbose_json.",
    );
  }
  const isStream = parsed.stream === true;
  if (isStream && format !== "json") {
    throw unsupported("stream", `Answers in ${format} are not streamed. Ask for json.`);
  }
  const told = typeof prompt === "string" ? prompt : "";
  return {
    ...common,
    raw,
    operation: "transcription",
    language: transcriptionsLanguage,
    task,
    stream: isStream,
    promptStart: () => told,
    inputCount: 1,
    textBytes: Buffer.byteLength(told),
    texts: told === "" ? [] : [told],
    tokenCounts: [],
    format,
    audioLanguage: typeof language === "string" ? language : undefined,
    prompt: told === "" ? undefined : told,
    temperature: typeof temperature === "number" ? temperature : undefined,
    granularities,
    durationMs: audio.durationMs ?? 0,
    holdMs: audio.holdMs ?? 0,
    audio,
  };
}

function formatOf({ response_format: asked }: JsonObject): TranscriptFormat {
  return transcriptFormats.find((name) => name === asked) ?? "json";
}

function granularitiesOf({ timestamp_granularities: asked }: JsonObject) {
  const named = Array.isArray(asked) ? asked : [];
  return (["word", "segment"] as const).filter((name) => named.includes(name));
}
