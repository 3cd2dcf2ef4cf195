// How the scripted upstream answers `/v1/audio/transcriptions` and `/v1/audio/translations`: with the comment of a WAV file, or
// the length of the audio in words. Models named `…-tokens` bill tokens and stream, `…-diarize` tells two speakers apart, and
// others are as whisper: billed by the second, in every form.
import { hearAudio } from "./hear-audio.ts";
import {
  countTextTokens,
  eventAnswer,
  jsonAnswer,
  type OperationAnswer,
  type ParseOperation,
} from "./operation-call.ts";
import { fieldsOf } from "./parse-chat-body.ts";
import type { Script } from "./parse-script.ts";
import { type Form, type FormFile, readForm, typed } from "./read-form.ts";
import {
  badValue,
  type Check,
  checkFields,
  isBoolean,
  isList,
  isNumber,
  isOneOf,
  isText,
  Refusal,
  wrongType,
} from "./refuse-request.ts";
import { reportUsage, type UsageShape } from "./report-usage.ts";
import {
  asDiarized,
  asSrt,
  asVerbose,
  asVtt,
  diarizedSegment,
  type Transcript,
  transcriptOf,
} from "./transcript.ts";

const fileMaxBytes = 26_214_400;
const extensions = ["flac", "m4a", "mp3", "mp4", "mpeg", "mpga", "oga", "ogg", "wav", "webm"];
export const transcriptionTokensPerSecond = 10;

type ModelKind = "seconds" | "tokens" | "diarize";

const forms: Readonly<Record<ModelKind, readonly string[]>> = {
  seconds: ["json", "text", "srt", "verbose_json", "vtt"],
  tokens: ["json"],
  diarize: ["json", "text", "diarized_json"],
};

const strategy: Check = (value, param) => {
  if (value === "auto" || fieldsOf(value).type === "server_vad") return;
  throw badValue(param, "expected 'auto' or an object of type 'server_vad'.");
};

const shared = {
  model: isText(),
  prompt: isText(),
  temperature: isNumber(0, 1, "decimal"),
};
const checks = {
  ...shared,
  language: isText(),
  stream: isBoolean,
  timestamp_granularities: isList(isOneOf("word", "segment")),
  include: isList(isOneOf("logprobs")),
  chunking_strategy: strategy,
  known_speaker_names: isList(isText(), { max: 4 }),
  known_speaker_references: isList(isText(), { max: 4 }),
};

export const parseTranscription: ParseOperation = async ({ path, contentType, body }) => {
  const form = await readForm(body, contentType);
  const fields = typed(form.fields, ["temperature"], ["stream"]);
  const model = String(fields.model);
  const kind = kindOf(model);
  const isTranslation = path.endsWith("/translations");
  const response_format = isOneOf(...forms[isTranslation ? "seconds" : kind]);
  checkFields(fields, { ...(isTranslation ? shared : checks), response_format }, ["model"]);
  const file = fileOf(form);
  const { seconds, heard } = hearAudio(file.bytes);
  assertConsistent(fields, kind, seconds);
  const text = [fields.prompt, heard].filter((part) => part !== undefined).join("\n");
  const { filename, type, bytes } = file;
  return {
    parsed: { ...fields, file: { filename, type, size: bytes.length } },
    model,
    // Whisper answers whole whatever it is asked.
    isStream: fields.stream === true && kind !== "seconds",
    text,
    promptTokens: Math.ceil(seconds * transcriptionTokensPerSecond),
    answer: (script) => transcribe({ fields, kind, seconds, heard }, script),
  };
};

function kindOf(model: string): ModelKind {
  if (model.endsWith("-tokens")) return "tokens";
  return model.endsWith("-diarize") ? "diarize" : "seconds";
}

function fileOf({ files }: Form): FormFile {
  const { file: [file] = [], ...others } = files;
  const [unknown] = Object.keys(others);
  if (unknown) throw new Refusal(`Unknown parameter: '${unknown}'.`, "unknown_parameter", unknown);
  if (!file)
    throw new Refusal("Missing required parameter: 'file'.", "missing_required_parameter", "file");
  if (file.bytes.length > fileMaxBytes) {
    const sentence = `Maximum content size limit (${fileMaxBytes}) exceeded (${file.bytes.length} bytes read)`;
    throw new Refusal(sentence, null, null, 413, "server_error");
  }
  const extension = /\.([a-z0-9]+)$/.exec(file.filename)?.[1] ?? "";
  if (!extensions.includes(extension)) {
    throw new Refusal(
      `Unrecognized file format. Supported formats: ${JSON.stringify(extensions)}`,
      null,
    );
  }
  if (!matchesContent(extension, file.bytes)) {
    throw new Refusal("Audio file might be corrupted or unsupported", "invalid_value", "file");
  }
  return file;
}

function matchesContent(extension: string, bytes: Buffer): boolean {
  const starts = (text: string, at = 0) => bytes.toString("latin1", at, at + text.length) === text;
  if (extension === "wav") return starts("RIFF") && starts("WAVE", 8);
  if (extension === "flac") return starts("fLaC");
  if (/^og[ag]$/.test(extension)) return starts("OggS");
  if (extension === "webm") return starts("\x1a\x45\xdf\xa3");
  if (/^m(?:4a|p4)$/.test(extension)) return starts("ftyp", 4);
  return starts("ID3") || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0);
}

function assertConsistent(
  fields: Readonly<Record<string, unknown>>,
  kind: ModelKind,
  seconds: number,
): void {
  if (fields.timestamp_granularities && fields.response_format !== "verbose_json") {
    throw badValue("timestamp_granularities", "they need `response_format` verbose_json.");
  }
  if (typeof fields.temperature === "string") throw wrongType("temperature", "a number");
  if (fields.include && kind !== "tokens") throw badValue("include", "the model has no logprobs.");
  if (kind === "diarize" && seconds > 30 && !fields.chunking_strategy) {
    throw badValue("chunking_strategy", "it is required for audio longer than 30 seconds.");
  }
}

type Heard = {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly kind: ModelKind;
  readonly seconds: number;
  readonly heard: string;
};

function transcribe({ fields, kind, seconds, heard }: Heard, script: Script): OperationAnswer {
  const transcript = transcriptOf(script.text ?? heard, seconds);
  const counts = {
    prompt: kind === "seconds" ? seconds : Math.ceil(seconds * transcriptionTokensPerSecond),
    completion: countTextTokens(transcript.text),
    reasoning: 0,
    cached: 0,
  };
  const shape = kind === "seconds" ? secondsUsage : tokensUsage;
  const usage = reportUsage(script.usage, counts, shape).at(-1);
  const logprobs = fields.include ? [{ token: "a", logprob: -0.1, bytes: [97] }] : undefined;
  if (fields.stream === true && kind !== "seconds")
    return streamOf(transcript, kind, usage, logprobs);
  const granularities = fields.timestamp_granularities;
  const given = Array.isArray(granularities) ? granularities.map(String) : ["segment"];
  switch (fields.response_format) {
    case "text":
      return { type: "text/plain; charset=utf-8", body: `${transcript.text}\n`, usage };
    case "srt":
      return { type: "text/plain; charset=utf-8", body: asSrt(transcript), usage };
    case "vtt":
      return { type: "text/plain; charset=utf-8", body: asVtt(transcript), usage };
    case "verbose_json":
      return jsonAnswer({ ...asVerbose(transcript, given), usage }, usage);
    case "diarized_json":
      return jsonAnswer({ ...asDiarized(transcript), usage }, usage);
    default:
      return jsonAnswer({ text: transcript.text, logprobs, usage }, usage);
  }
}

function streamOf(transcript: Transcript, kind: ModelKind, usage: unknown, logprobs: unknown) {
  const frame = (event: object, tokens: number) => ({ data: JSON.stringify(event), tokens });
  const isDiarized = kind === "diarize";
  const frames = transcript.segments.flatMap((segment) => {
    const segment_id = isDiarized ? `seg_${segment.index}` : undefined;
    const deltas = (segment.text.match(/\s*\S+/g) ?? []).map((delta) =>
      frame({ type: "transcript.text.delta", delta, segment_id, logprobs }, 1),
    );
    return isDiarized ? [...deltas, frame(diarizedSegment(segment), 1)] : deltas;
  });
  const done = { type: "transcript.text.done", text: transcript.text, logprobs, usage };
  return eventAnswer([...frames, { ...frame(done, 0), usage }]);
}

const secondsUsage: UsageShape = {
  of: ({ prompt }) => ({ type: "duration", seconds: prompt }),
  plain: (prompt) => ({ type: "duration", seconds: prompt }),
};
const tokensUsage: UsageShape = {
  of: ({ prompt, completion }) => ({
    type: "tokens",
    input_tokens: prompt,
    input_token_details: { text_tokens: 0, audio_tokens: prompt },
    output_tokens: completion,
    total_tokens: prompt + completion,
  }),
  plain: (prompt, completion) => ({
    type: "tokens",
    input_tokens: prompt,
    output_tokens: completion,
    total_tokens: prompt,
  }),
};
