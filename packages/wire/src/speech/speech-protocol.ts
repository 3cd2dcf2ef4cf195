// The speech protocol, after OpenAI's: audio as it comes, or events with pieces of it. Audio has no place for an error, so that
// a failure cuts the connection; its bill is in Logs alone.
import { formatGenerationId } from "@turnpike/base";
import { toUsdNumber } from "@turnpike/terms";
import { openaiErrors } from "../errors/error-format.ts";
import { answerForFault } from "../errors/fault-answer.ts";
import { speechLanguage } from "../protocol/languages.ts";
import type { Bill } from "../protocol/pivot.ts";
import type { Protocol, StreamWriter } from "../protocol/protocol.ts";
import { sseData } from "../protocol/sse.ts";
import {
  parseSpeechRequest,
  type SpeechFormat,
  type SpeechRequest,
} from "./parse-speech-request.ts";

const mediaTypes: Readonly<Record<SpeechFormat, string>> = {
  mp3: "audio/mpeg",
  opus: "audio/ogg",
  aac: "audio/aac",
  flac: "audio/flac",
  wav: "audio/wav",
  pcm: "audio/pcm",
};

export const speechProtocol: Protocol<SpeechRequest> = {
  operation: "speech",
  language: speechLanguage,
  errors: openaiErrors,
  parse: parseSpeechRequest,
  answerId: formatGenerationId,
  writeWhole() {
    throw new Error("speech is always answered as it comes");
  },
  stream: {
    contentType: ({ format, answersInEvents }) =>
      answersInEvents ? "text/event-stream; charset=utf-8" : mediaTypes[format],
    keepAlive: "",
    isBinary: ({ answersInEvents }) => !answersInEvents,
    open: ({ answersInEvents }) => (answersInEvents ? eventWriter : silentWriter),
  },
};

const nothing = () => "";

/** Audio is sent as the bytes that it is. */
const silentWriter: StreamWriter = {
  writeOwn: nothing,
  writeDeltas: nothing,
  writeEnd: nothing,
  writeFault: nothing,
};

const eventWriter: StreamWriter = {
  writeOwn: sseData,
  writeDeltas: nothing,
  writeEnd: (bill) => event({ type: "speech.audio.done", ...(bill && { usage: usageOf(bill) }) }),
  writeFault: (fault) => event({ type: "error", ...answerForFault(fault).body }),
};

function event(value: object): string {
  return sseData(JSON.stringify(value));
}

function usageOf({ usage, costNanos }: Bill) {
  const { promptTokens, completionTokens } = usage;
  return {
    input_tokens: promptTokens,
    output_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    cost: toUsdNumber(costNanos),
  };
}
