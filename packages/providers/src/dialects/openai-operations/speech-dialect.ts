// Speech as OpenAI, Azure, Groq and compatible services make it under `/audio/speech`: audio is passed on as it comes, and put
// into events for a caller who asks for these.
import { isObject, parseObject, parseText } from "@turnpike/base";
import { type SpeechRequest, speechLanguage } from "@turnpike/wire";
import type { Dialect, OpenaiProvider, UpstreamCall } from "../../provider.ts";
import { refuse, unreadable } from "../../refusals/refuse.ts";
import { acceptBody, acceptUnread } from "../accept-body.ts";
import { AudioStream } from "../audio-stream.ts";
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
  openStream: (call) => new AudioStream(call.request),
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
