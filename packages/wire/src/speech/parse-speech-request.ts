// Reads a request for speech, after `CreateSpeechRequest` in OpenAI's openapi.yaml. What is spoken is counted in the largest of
// the ways in which providers count characters.
import { isObject } from "@turnpike/base";
import { badValue, missing } from "../checks/body-fault.ts";
import { speechFields, speechFormats } from "../fields/operations/speech-fields.ts";
import { type OperationRequest, parseOperationBody } from "../operations/operation-request.ts";
import { speechLanguage } from "../protocol/languages.ts";

export type SpeechFormat = (typeof speechFormats)[number];

export type SpeechRequest = OperationRequest<"speech"> & {
  readonly stream: true;
  /** Whether the audio comes in events. */
  readonly answersInEvents: boolean;
  readonly input: string;
  /** How many characters are billed at most. */
  readonly characterCount: number;
  /** Undefined leaves it to the provider. */
  readonly voice: string | undefined;
  readonly instructions: string | undefined;
  readonly format: SpeechFormat;
  /** 1 is as fast as the voice is. */
  readonly speed: number;
};

/** Throws the Fault that names the invalid field. */
export function parseSpeechRequest(raw: string): SpeechRequest {
  const common = parseOperationBody(raw, speechFields);
  const { parsed } = common;
  const { input, voice, instructions, response_format: format, speed } = parsed;
  if (typeof input !== "string") throw missing("input");
  if (input.trim() === "") throw badValue("input", "there is nothing to be spoken.");
  const told = typeof instructions === "string" ? instructions : undefined;
  const named = isObject(voice) ? voice.id : voice;
  return {
    ...common,
    operation: "speech",
    language: speechLanguage,
    stream: true,
    answersInEvents: parsed.stream_format === "sse",
    promptStart: () => input,
    inputCount: 1,
    textBytes: Buffer.byteLength(input) + Buffer.byteLength(told ?? ""),
    texts: told === undefined ? [input] : [input, told],
    tokenCounts: [],
    input,
    // UTF-16 units: never fewer than code points, which other providers count.
    characterCount: input.length,
    voice: typeof named === "string" && named !== "" ? named : undefined,
    instructions: told,
    format: speechFormats.find((name) => name === format) ?? "mp3",
    speed: typeof speed === "number" ? speed : 1,
  };
}
