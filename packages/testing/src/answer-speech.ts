// How the scripted upstream answers `/v1/audio/speech`: a tone, or silence in the formats that would need an encoder, of a
// sixteenth of a second for each character. Models named `…-tokens` report usage in a stream of events, as newer ones do.
import { adtsFile, flacFile, mp3File, oggFile, uintLE, wavFile } from "./audio-files.ts";
import {
  countTextTokens,
  eventAnswer,
  type OperationAnswer,
  type ParseOperation,
  type Piece,
} from "./operation-call.ts";
import { fieldsOf } from "./parse-chat-body.ts";
import type { Script } from "./parse-script.ts";
import {
  badValue,
  type Check,
  checkFields,
  isNumber,
  isOneOf,
  isText,
  wrongType,
} from "./refuse-request.ts";
import { reportUsage, type UsageShape } from "./report-usage.ts";

const inputMaxChars = 4_096;
export const speechTokensPerSecond = 20;
/** Of a stream. */
const pieceBytes = 4_096;
const samplesPerSecond = 24_000;

export const speechVoices = [
  "alloy",
  "ash",
  "ballad",
  "coral",
  "echo",
  "fable",
  "nova",
  "onyx",
  "sage",
  "shimmer",
  "verse",
  "marin",
  "cedar",
] as const;

const voice: Check = (value, param) => {
  if (typeof fieldsOf(value).id === "string") throw badValue(param, "no such voice.");
  isOneOf(...speechVoices)(value, param);
};

const input: Check = (value, param) => {
  isText(inputMaxChars)(value, param);
  if (value === "") throw badValue(param, "empty string.");
};

const checks = {
  model: isText(),
  input,
  voice,
  instructions: isText(4_096),
  response_format: isOneOf("mp3", "opus", "aac", "flac", "wav", "pcm"),
  speed: isNumber(0.25, 4, "decimal"),
  stream_format: isOneOf("audio", "sse"),
};

export const parseSpeech: ParseOperation = ({ body }) => {
  const parsed: unknown = JSON.parse(body.toString());
  const fields = fieldsOf(parsed);
  checkFields(fields, checks, ["model", "input", "voice"]);
  const model = String(fields.model);
  const isEvents = fields.stream_format === "sse";
  if (isEvents && !model.endsWith("-tokens")) {
    throw badValue("stream_format", `'sse' is not supported by the model '${model}'.`);
  }
  if (typeof fields.speed === "string") throw wrongType("speed", "a number");
  const text = String(fields.input);
  const speed = typeof fields.speed === "number" ? fields.speed : 1;
  const format = String(fields.response_format ?? "mp3");
  return {
    parsed,
    model,
    isStream: true,
    text,
    promptTokens: countTextTokens(text),
    answer: (script) => speak({ text, speed, format, isEvents }, script),
  };
};

/** What a text is spoken in, by the number of its characters. */
export function speechSecondsOf(text: string, speed = 1): number {
  return [...text].length / 16 / speed;
}

type Speech = {
  readonly text: string;
  readonly speed: number;
  readonly format: string;
  readonly isEvents: boolean;
};

const types: Readonly<Record<string, string>> = {
  mp3: "audio/mpeg",
  opus: "audio/ogg",
  aac: "audio/aac",
  flac: "audio/flac",
  wav: "audio/wav",
  pcm: "audio/pcm",
};

function speak({ text, speed, format, isEvents }: Speech, script: Script): OperationAnswer {
  const seconds = speechSecondsOf(text, speed);
  const bytes = soundOf(format, seconds, text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index) =>
    bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  );
  if (!isEvents) {
    const sent = pieces.map((data): Piece => ({ data, isDelta: true }));
    return { type: types[format] ?? "application/octet-stream", body: sent };
  }
  const counts = {
    prompt: countTextTokens(text),
    completion: Math.ceil(seconds * speechTokensPerSecond),
    reasoning: 0,
    cached: 0,
  };
  const usage = reportUsage(script.usage, counts, speechUsage).at(-1);
  const frame = (event: object, tokens: number) => ({ data: JSON.stringify(event), tokens });
  const deltas = pieces.map((piece) =>
    frame({ type: "speech.audio.delta", audio: piece.toString("base64") }, 1),
  );
  const done = { ...frame({ type: "speech.audio.done", usage }, 0), usage };
  return eventAnswer([...deltas, done]);
}

const speechUsage: UsageShape = {
  of: ({ prompt, completion }) => ({
    input_tokens: prompt,
    output_tokens: completion,
    total_tokens: prompt + completion,
  }),
  plain: (prompt, completion) => ({
    input_tokens: prompt,
    output_tokens: completion,
    total_tokens: prompt,
  }),
};

/** Of a length, in one of our formats. */
export function soundOf(format: string, seconds: number, text: string): Buffer {
  if (format === "mp3") return mp3File(Math.max(1, Math.round(seconds / 0.036)));
  if (format === "aac") return adtsFile(Math.max(1, Math.round(seconds / 0.064)));
  if (format === "flac") return flacFile(Math.max(1, Math.round(seconds / 0.256)));
  if (format === "opus") return oggFile({ packets: Math.max(1, Math.round(seconds / 0.02)) });
  const samples = toneOf(seconds);
  // As of a stream whose length is not known yet, with the text as a comment.
  if (format === "wav")
    return wavFile({ seconds, samples, statedBytes: 0xffff_ffff, before: commentChunk(text) });
  return samples;
}

/** 440 Hz, 16 bits, mono. */
export function toneOf(seconds: number): Buffer {
  const samples = Buffer.alloc(2 * Math.round(seconds * samplesPerSecond));
  for (let at = 0; at < samples.length / 2; at += 1) {
    const level = Math.sin((2 * Math.PI * 440 * at) / samplesPerSecond);
    samples.writeInt16LE(Math.round(level * 8_192), at * 2);
  }
  return samples;
}

/** What a transcription of the file says. */
export function commentChunk(text: string): Buffer {
  const comment = Buffer.from(text);
  const padded = Buffer.concat([comment, Buffer.alloc(2 - (comment.length % 2))]);
  const body = Buffer.concat([Buffer.from("INFOICMT"), uintLE(4, padded.length), padded]);
  return Buffer.concat([Buffer.from("LIST"), uintLE(4, body.length), body]);
}
