// Transcriptions of ElevenLabs under `/speech-to-text`, in a form whose file is sent on as it came. Its answer is a list of
// words, of the white space between them and of sounds, each with its times.
import { isObject, type JsonObject, parseObject, parseText } from "@turnpike/base";
import {
  filenameWith,
  formEntries,
  type TokenUsage,
  type TranscriptionRequest,
  writeMultipart,
} from "@turnpike/wire";
import type { Dialect, ElevenLabsProvider, WholeAnswer } from "../../provider.ts";
import { refuse, unreadable } from "../../refusals/refuse.ts";
import { acceptBody, acceptUnread } from "../accept-body.ts";
import { onlyOpenais, usageOfSeconds, whyOnlyAudio } from "../audio-services.ts";
import { estimateTokens } from "../openai/count-tokens.ts";
import { unsentPreferences } from "../openai-operations/operation-answer.ts";
import { type SpokenWord, tellsSpeakers, timesOf, transcriptOf } from "../spoken-words.ts";

/** Parameters that are refused or left out, whatever their value. */
const lost: ReadonlySet<string> = new Set(["prompt", "keywords", ...onlyOpenais]);

export const elevenLabsTranscriptionDialect: Dialect<TranscriptionRequest, ElevenLabsProvider> = {
  language: "elevenlabs-transcriptions",
  buildRequest({ request, upstreamModel }) {
    const { audio, audioLanguage, temperature, parsed } = request;
    const isDiarized = tellsSpeakers(request);
    const fields = {
      model_id: upstreamModel,
      language_code: audioLanguage,
      timestamps_granularity: "word",
      // Sounds such as laughter are no words.
      tag_audio_events: false,
      temperature,
      seed: parsed.seed,
      ...(isDiarized && { diarize: true }),
    };
    const file = {
      name: "file",
      filename: filenameWith(audio.extension, audio.filename),
      type: audio.mediaType,
      bytes: audio.bytes,
    };
    return {
      path: "/speech-to-text",
      accept: "application/json",
      body: "",
      upload: writeMultipart(formEntries(fields), [file]),
      ignored: unsentPreferences(request, { seed: parsed.seed, diarize: parsed.diarize }),
    };
  },
  losesParameter: (name) => lost.has(name),
  whyUntranslatable: (_target, request) => whyOnlyAudio("ElevenLabs", request),
  parseWhole(call, text, headers): WholeAnswer {
    const body = acceptBody(parseObject(text), call, headers);
    const { text: said, words, audio_duration_secs: seconds } = body;
    if (typeof said !== "string") throw unreadable();
    const heard = {
      text: said,
      language: parseText(body.language_code),
      durationSeconds: typeof seconds === "number" ? seconds : undefined,
      words: Array.isArray(words) ? spokenWords(words.filter(isObject)) : [],
    };
    return {
      kind: "whole",
      upstreamId: parseText(body.transcription_id),
      content: transcriptOf(heard, call.request),
      usage: usageOfAnswer(body),
      finish: null,
      deliveredTokens: estimateTokens(Buffer.byteLength(said)),
    };
  },
  parseUnread: (call, members, headers) => acceptUnread(members, call, headers, usageOfAnswer),
  refuse,
};

/** White space belongs to the word behind it. */
function spokenWords(entries: readonly JsonObject[]): readonly SpokenWord[] {
  let before = "";
  const words: SpokenWord[] = [];
  for (const entry of entries) {
    const text = parseText(entry.text) ?? "";
    const times = timesOf(entry);
    if (entry.type === "spacing") before += text;
    if (entry.type !== "word" || times === undefined) continue;
    words.push({ text: before + text, ...times, speaker: parseText(entry.speaker_id) });
    before = "";
  }
  return words;
}

function usageOfAnswer({ audio_duration_secs: seconds }: JsonObject): TokenUsage | undefined {
  return usageOfSeconds(seconds);
}
