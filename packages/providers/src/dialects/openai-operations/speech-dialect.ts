// Speech as OpenAI, Azure, Groq and compatible services make it under `/audio/speech`: audio is passed on as it comes, and put
// into events for a caller who asks for these. Only events end with usage, so that speech billed by tokens is asked for in events.
import { isObject, parseObject, parseText } from "@turnpike/base";
import { type SpeechRequest, speechLanguage } from "@turnpike/wire";
import type { Dialect, DialectRequest, OpenaiProvider, UpstreamCall } from "../../provider.ts";
import { refuse, unreadable } from "../../refusals/refuse.ts";
import { acceptBody, acceptUnread } from "../accept-body.ts";
import { AudioStream } from "../audio-stream.ts";
import { SpokenTokens } from "../spoken-tokens.ts";
import { operationRequest, sameFields } from "./operation-answer.ts";
import { SpeechEvents } from "./speech-events.ts";

type SpeechCall = UpstreamCall<SpeechRequest, OpenaiProvider>;

export const speechDialect: Dialect<SpeechRequest, OpenaiProvider> = {
  language: speechLanguage,
  isBinary: true,
  buildRequest: (call) => requestIn(call, call.needsUsage === true ? "sse" : undefined),
  /** Older models have no events: their audio is measured. */
  retryAfterRefusal(call, _sent, status, refusal) {
    const isForEvents = status === 400 && refusal.includes("stream_format");
    return isForEvents && call.needsUsage === true ? requestIn(call, undefined) : undefined;
  },
  openStream: (call, options) =>
    options.isEventStream === true
      ? new SpeechEvents(call, options)
      : new AudioStream(call.request),
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
      deliveredTokens: new SpokenTokens(call.request.format).add(bytes),
    };
  },
  parseUnread: (call: SpeechCall, members, headers) =>
    acceptUnread(members, call, headers, () => undefined),
  refuse,
};

function requestIn(call: SpeechCall, streamFormat: "sse" | undefined): DialectRequest {
  const { request, upstreamModel } = call;
  const body = operationRequest(call, "/audio/speech", {
    ...sameFields(request),
    model: upstreamModel,
    response_format: request.format,
    stream_format: streamFormat,
  });
  return { ...body, accept: "*/*" };
}
