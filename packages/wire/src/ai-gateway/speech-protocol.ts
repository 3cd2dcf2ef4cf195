// The AI SDK's gateway protocol for speech: one JSON with the whole audio in base64, written as the audio comes, because an hour of it
// would not fit in memory. A failure after its beginning has no place in it, so that it cuts the connection.
import { formatGenerationId, parseObject, parseText } from "@turnpike/base";
import { aiGatewayLanguage } from "../protocol/languages.ts";
import type { AnswerIdentity, Bill } from "../protocol/pivot.ts";
import type { Protocol, StreamWriter } from "../protocol/protocol.ts";
import { parseSpeechRequest, type SpeechRequest } from "../speech/parse-speech-request.ts";
import { aiGatewayErrors } from "./ai-gateway-errors.ts";
import {
  type CallShape,
  type CallTarget,
  endOfAnswer,
  parseCall,
  type Told,
} from "./operation-call.ts";

const shape: CallShape = {
  renamed: {
    text: "input",
    voice: "voice",
    outputFormat: "response_format",
    instructions: "instructions",
    speed: "speed",
  },
  translate(_body, request) {
    request.stream_format = "sse";
    return [];
  },
  options: { "openai.instructions": "instructions", "openai.speed": "speed" },
};

export function speechModelProtocol(target: CallTarget): Protocol<Told<SpeechRequest>> {
  return {
    operation: "speech",
    language: aiGatewayLanguage,
    errors: aiGatewayErrors,
    parse: (text) => parseCall(text, target, shape, parseSpeechRequest),
    addressed: `${target.model}\n${target.specification}`,
    answerId: formatGenerationId,
    writeWhole() {
      throw new Error("speech is always answered as it comes");
    },
    stream: {
      contentType: "application/json",
      keepAlive: "",
      isBinary: () => true,
      open: (request, identity) => new SpeechWriter(request, target, identity),
    },
  };
}

class SpeechWriter implements StreamWriter {
  readonly #request: Told<SpeechRequest>;
  readonly #target: CallTarget;
  readonly #identity: AnswerIdentity;
  /** What the next piece begins with: base64 has no padding in its middle. */
  #rest = Buffer.alloc(0);
  #hasBegun = false;

  constructor(request: Told<SpeechRequest>, target: CallTarget, identity: AnswerIdentity) {
    this.#request = request;
    this.#target = target;
    this.#identity = identity;
  }

  writeOwn(json: string): string {
    const audio = parseText(parseObject(json)?.audio);
    if (audio === undefined) return "";
    const bytes = Buffer.concat([this.#rest, Buffer.from(audio, "base64")]);
    const whole = bytes.byteLength - (bytes.byteLength % 3);
    this.#rest = bytes.subarray(whole);
    return this.#begin() + bytes.subarray(0, whole).toString("base64");
  }

  writeDeltas(): string {
    throw new Error("speech is no deltas");
  }

  writeEnd(bill: Bill | undefined): string {
    const end = endOfAnswer(this.#request, this.#target, this.#identity, bill);
    return `${this.#begin()}${this.#rest.toString("base64")}",${JSON.stringify(end).slice(1)}`;
  }

  writeFault(): string {
    return "";
  }

  #begin(): string {
    if (this.#hasBegun) return "";
    this.#hasBegun = true;
    return '{"audio":"';
  }
}
