// Speech as OpenAI, Azure, Groq and compatible services make it under `/audio/speech`: audio is passed on as it comes, and put
// into events for a caller who asks for these.
import type { Fault } from "@turnpike/base";
import { isObject, parseObject, parseText } from "@turnpike/base";
import { type SpeechRequest, speechLanguage } from "@turnpike/wire";
import type {
  Dialect,
  OpenaiProvider,
  StreamEvent,
  StreamReader,
  UpstreamCall,
} from "../../provider.ts";
import { endedEarly, refuse, unreadable } from "../../refusals/refuse.ts";
import { acceptBody, acceptUnread } from "../accept-body.ts";
import { AudioTokens } from "../openai/count-audio.ts";
import { operationRequest, sameFields } from "./operation-answer.ts";

export const speechDialect: Dialect<SpeechRequest, OpenaiProvider> = {
  language: speechLanguage,
  isBinary: true,
  buildRequest(call) {
    const { request, upstreamModel } = call;
    const body = operationRequest(call, "/audio/speech", {
      ...sameFields(request),
      model: upstreamModel,
      response_format: request.format,
    });
    return { ...body, accept: "*/*" };
  },
  openStream: (call) => new SpeechStream(call.request),
  /** Mistral's answer is one JSON with the audio in base64. */
  parseWhole(call, text, headers) {
    const body = acceptBody(parseObject(text), call, headers);
    const data =
      parseText(body.audio_data) ?? parseText(isObject(body.audio) ? body.audio.data : "");
    const bytes = Uint8Array.from(Buffer.from(data ?? "", "base64"));
    if (bytes.byteLength === 0) throw unreadable();
    return {
      kind: "whole",
      upstreamId: parseText(body.id),
      content: { kind: "audio", bytes },
      usage: undefined,
      finish: null,
      deliveredTokens: new AudioTokens(call.request.format).add(bytes.byteLength),
    };
  },
  parseUnread: (call: UpstreamCall<SpeechRequest, OpenaiProvider>, members, headers) =>
    acceptUnread(members, call, headers, () => undefined),
  refuse,
};

/** Audio without an end of its own: the connection's end is its end. An empty one is none. */
class SpeechStream implements StreamReader {
  readonly #tokens: AudioTokens;
  readonly #inEvents: boolean;
  /** Of the pieces in events: base64 has no padding in its middle. */
  #rest: Uint8Array = new Uint8Array();
  #hasAudio = false;
  fault: Fault | undefined;
  done = false;
  readonly upstreamId = undefined;

  constructor({ format, answersInEvents }: SpeechRequest) {
    this.#tokens = new AudioTokens(format);
    this.#inEvents = answersInEvents;
  }

  get finished(): boolean {
    return this.done;
  }

  push(bytes: Uint8Array): StreamEvent[] {
    if (bytes.byteLength === 0 || this.fault !== undefined || this.done) return [];
    this.#hasAudio = true;
    const tokens = this.#tokens.add(bytes.byteLength);
    if (this.#inEvents) return this.#asEvents(Buffer.concat([this.#rest, bytes]), tokens);
    return [{ kind: "frame", bytes: new Uint8Array(bytes), tokens, deltaCount: tokens }];
  }

  end(): StreamEvent[] {
    if (this.fault !== undefined || this.done) return [];
    if (!this.#hasAudio) {
      this.fault = endedEarly();
      return [];
    }
    this.done = true;
    const last = this.#rest.byteLength === 0 ? [] : [eventOf(this.#rest, 0)];
    return [...last, { kind: "done" }];
  }

  #asEvents(bytes: Uint8Array, tokens: number): StreamEvent[] {
    const whole = bytes.byteLength - (bytes.byteLength % 3);
    this.#rest = bytes.slice(whole);
    return whole === 0 ? [] : [eventOf(bytes.subarray(0, whole), tokens)];
  }
}

function eventOf(bytes: Uint8Array, tokens: number): StreamEvent {
  const audio = Buffer.from(bytes).toString("base64");
  return { kind: "chunk", json: JSON.stringify({ type: "speech.audio.delta", audio }), tokens };
}
