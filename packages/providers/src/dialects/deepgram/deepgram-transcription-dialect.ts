// Transcriptions of Deepgram under `/listen`: the body is the file itself, of its own type, and everything else is in the address.
import { isObject, type JsonObject, parseObject, parseText } from "@turnpike/base";
import { type TokenUsage, type TranscriptionRequest, uploadBody } from "@turnpike/wire";
import type { DeepgramProvider, Dialect, UpstreamCall, WholeAnswer } from "../../provider.ts";
import { refuse, unreadable } from "../../refusals/refuse.ts";
import { untranslatable } from "../../untranslatable.ts";
import { acceptBody, acceptUnread } from "../accept-body.ts";
import { onlyOpenais, usageOfSeconds, whyOnlyAudio } from "../audio-services.ts";
import { estimateTokens } from "../openai/count-tokens.ts";
import { unsentPreferences } from "../openai-operations/operation-answer.ts";
import { type SpokenWord, tellsSpeakers, timesOf, transcriptOf } from "../spoken-words.ts";

type TranscriptionCall = UpstreamCall<TranscriptionRequest, DeepgramProvider>;

/** Parameters that are refused or left out, whatever their value. */
const lost: ReadonlySet<string> = new Set(["prompt", "temperature", "seed", ...onlyOpenais]);

export const deepgramTranscriptionDialect: Dialect<TranscriptionRequest, DeepgramProvider> = {
  language: "deepgram-transcriptions",
  buildRequest(call) {
    const { audio, parsed } = call.request;
    return {
      path: `/listen?${queryOf(call)}`,
      accept: "application/json",
      body: "",
      upload: uploadBody(audio.mediaType, [audio.bytes]),
      ignored: unsentPreferences(call.request, {
        diarize: parsed.diarize,
        keywords: parsed.keywords,
      }),
    };
  },
  losesParameter: (name) => lost.has(name),
  whyUntranslatable(_target, request) {
    const { temperature = 0 } = request;
    if (temperature !== 0) {
      return untranslatable("temperature", "Deepgram always writes what is most likely");
    }
    return whyOnlyAudio("Deepgram", request);
  },
  parseWhole(call, text, headers): WholeAnswer {
    const body = acceptBody(parseObject(text), call, headers);
    const channel = firstOf(isObject(body.results) ? body.results.channels : undefined);
    const best = firstOf(channel?.alternatives);
    const said = best?.transcript;
    if (channel === undefined || best === undefined || typeof said !== "string") throw unreadable();
    const { request_id: id, duration } = isObject(body.metadata) ? body.metadata : {};
    const heard = {
      text: said,
      language: parseText(channel.detected_language) ?? call.request.audioLanguage,
      durationSeconds: typeof duration === "number" ? duration : undefined,
      words: Array.isArray(best.words) ? best.words.filter(isObject).flatMap(spokenWord) : [],
    };
    return {
      kind: "whole",
      upstreamId: parseText(id),
      content: transcriptOf(heard, call.request),
      usage: usageOfAnswer(body),
      finish: null,
      deliveredTokens: estimateTokens(Buffer.byteLength(said)),
    };
  },
  parseUnread: (call, members, headers) => acceptUnread(members, call, headers, usageOfAnswer),
  refuse,
};

/** Without a language it writes everything as English, unless it is told to find out. */
function queryOf({ request, upstreamModel }: TranscriptionCall): URLSearchParams {
  const { audioLanguage: language, parsed } = request;
  const query = new URLSearchParams({
    model: upstreamModel,
    smart_format: "true",
    ...(language === undefined ? { detect_language: "true" } : { language }),
    ...(tellsSpeakers(request) && { diarize: "true" }),
  });
  const name = /^nova-[12]\b|^(?:base|enhanced|whisper)/.test(upstreamModel)
    ? "keywords"
    : "keyterm";
  const keywords: readonly unknown[] = Array.isArray(parsed.keywords) ? parsed.keywords : [];
  for (const word of keywords) query.append(name, String(word));
  return query;
}

function firstOf(list: unknown): JsonObject | undefined {
  const [first] = Array.isArray(list) ? list : [];
  return isObject(first) ? first : undefined;
}

function spokenWord(entry: JsonObject): readonly SpokenWord[] {
  const times = timesOf(entry);
  const text = parseText(entry.punctuated_word) ?? parseText(entry.word);
  if (times === undefined || text === undefined) return [];
  const speaker = typeof entry.speaker === "number" ? `speaker_${entry.speaker}` : undefined;
  return [{ text: ` ${text}`, ...times, speaker }];
}

function usageOfAnswer({ metadata }: JsonObject): TokenUsage | undefined {
  return isObject(metadata) ? usageOfSeconds(metadata.duration) : undefined;
}
