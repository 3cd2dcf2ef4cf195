// Transcriptions and translations as OpenAI, Azure, Groq and Mistral serve them, in a form whose file is sent on as it came. What
// the caller reads is written here, so that its provider is asked for JSON with as many details as that needs.
import { isObject, type JsonObject, parseObject, parseText } from "@turnpike/base";
import {
  fieldOfTimes,
  filenameWith,
  formEntries,
  isSseDone,
  type TokenUsage,
  type TranscriptionRequest,
  type TranscriptSegment,
  transcriptionsLanguage,
  writeMultipart,
} from "@turnpike/wire";
import type {
  Dialect,
  DialectRequest,
  OpenaiProvider,
  Provider,
  StreamEvent,
  StreamOptions,
  UpstreamCall,
  WholeAnswer,
} from "../../provider.ts";
import { isErrorBody } from "../../refusals/parse-error-body.ts";
import { refuse, refusedInside, unreadable } from "../../refusals/refuse.ts";
import { acceptBody, acceptUnread } from "../accept-body.ts";
import { estimateTokens } from "../openai/count-tokens.ts";
import { pathOf } from "../openai/openai-path.ts";
import { PayloadStream } from "../payload-stream.ts";
import { countIn, noTokens, sameFields, unsentPreferences } from "./operation-answer.ts";

type TranscriptionCall = UpstreamCall<TranscriptionRequest, OpenaiProvider>;

export const transcriptionDialect: Dialect<TranscriptionRequest, OpenaiProvider> = {
  language: transcriptionsLanguage,
  buildRequest: (call) => requestWith(call, formatFor(call.request)),
  /** Newer models of OpenAI have no timestamps: what needs none is answered without. */
  retryAfterRefusal(call, _sent, status, refusal) {
    if (status !== 400 || fieldOfTimes(call.request) !== undefined) return undefined;
    if (call.request.format !== "verbose_json" || !refusal.includes("response_format")) {
      return undefined;
    }
    const plain = requestWith(call, "json");
    return { ...plain, ignored: [...plain.ignored, "response_format"] };
  },
  openStream: ({ provider }, options) => new TranscriptStream(provider, options),
  parseWhole(call, text, headers): WholeAnswer {
    const body = acceptBody(parseObject(text), call, headers);
    const whole = wholeOf(body);
    // Captions without times would be paid for and empty.
    if (fieldOfTimes(call.request) !== undefined && !hasSegments(whole)) throw unreadable();
    return whole;
  },
  parseUnread: (call, members, headers) =>
    acceptUnread(members, call, headers, parseTranscriptionUsage),
  refuse,
};

function hasSegments({ content }: WholeAnswer): boolean {
  return content.kind === "transcript" && (content.segments ?? content.words) !== undefined;
}

function formatFor({ format }: TranscriptionRequest): string {
  if (format === "text") return "json";
  return format === "srt" || format === "vtt" ? "verbose_json" : format;
}

function requestWith(call: TranscriptionCall, format: string): DialectRequest {
  const { request, upstreamModel } = call;
  const { audio } = request;
  const fields: JsonObject = {
    ...sameFields(request),
    model: upstreamModel,
    // A translation is always into English.
    language: request.task === "translate" ? undefined : request.audioLanguage,
    response_format: format,
    ...(request.stream && { stream: true }),
  };
  const file = {
    name: "file",
    filename: filenameWith(audio.extension, audio.filename),
    type: audio.mediaType,
    bytes: audio.bytes,
  };
  const path = request.task === "translate" ? "/audio/translations" : "/audio/transcriptions";
  return {
    path: pathOf(call, path),
    accept: "application/json",
    body: "",
    upload: writeMultipart(formEntries(fields), [file]),
    ignored: unsentPreferences(request, fields),
  };
}

function wholeOf(body: JsonObject): WholeAnswer {
  const text = parseText(body.text);
  if (text === undefined) throw unreadable();
  const { segments, words, logprobs, duration } = body;
  return {
    kind: "whole",
    upstreamId: parseText(body.id),
    content: {
      kind: "transcript",
      text,
      language: parseText(body.language),
      durationSeconds: typeof duration === "number" ? duration : undefined,
      segments: Array.isArray(segments) ? segments.flatMap(parseSegment) : undefined,
      words: Array.isArray(words) ? words.filter(isObject) : undefined,
      logprobs: Array.isArray(logprobs) ? logprobs : undefined,
    },
    usage: parseTranscriptionUsage(body),
    finish: null,
    deliveredTokens: tokensOf(text),
  };
}

/** Without its times it is none. */
function parseSegment(segment: unknown): readonly TranscriptSegment[] {
  if (!isObject(segment)) return [];
  const { start, end, text } = segment;
  if (typeof start !== "number" || typeof end !== "number" || typeof text !== "string") return [];
  return [{ ...segment, start, end, text }];
}

/** For an answer that reports none. */
function tokensOf(text: string): number {
  return estimateTokens(Buffer.byteLength(text));
}

/** Tokens, or seconds of audio; undefined if neither is reported. */
function parseTranscriptionUsage({ usage }: JsonObject): TokenUsage | undefined {
  if (!isObject(usage)) return undefined;
  const seconds = usage.seconds ?? usage.prompt_audio_seconds;
  const isTime = typeof seconds === "number" && Number.isFinite(seconds) && seconds >= 0;
  const units = isTime
    ? { units: [{ unit: "audioMilliseconds" as const, count: Math.ceil(seconds * 1_000) }] }
    : {};
  const promptTokens = countIn(usage, "input_tokens", "prompt_tokens");
  const completionTokens = countIn(usage, "output_tokens", "completion_tokens");
  if (promptTokens === undefined || completionTokens === undefined) {
    return isTime ? { ...noTokens, ...units } : undefined;
  }
  const details = usage.input_token_details ?? usage.prompt_tokens_details;
  const audioPromptTokens = countIn(details, "audio_tokens") ?? promptTokens;
  return { ...noTokens, promptTokens, completionTokens, audioPromptTokens, ...units };
}

class TranscriptStream extends PayloadStream {
  readonly #provider: Provider;
  readonly #headers: Headers;

  constructor(provider: Provider, options: StreamOptions) {
    super(options);
    this.#provider = provider;
    this.#headers = options.headers;
  }

  protected read(payload: string, events: StreamEvent[], isNamedError: boolean): void {
    if (isSseDone(payload)) return;
    const source = parseObject(payload);
    if (source === undefined) return;
    const type = parseText(source.type) ?? "";
    if (isNamedError || type === "error" || isErrorBody(source)) throw this.refused(source);
    if (!type.startsWith("transcript.text.")) return;
    const { usage, ...own } = source;
    const tokens = type === "transcript.text.delta" ? tokensOf(parseText(source.delta) ?? "") : 0;
    events.push({ kind: "chunk", json: JSON.stringify(own), name: type, tokens });
    if (type !== "transcript.text.done") return;
    const reported = parseTranscriptionUsage({ usage });
    if (reported !== undefined) events.push({ kind: "usage", usage: reported });
    this.complete(events);
  }

  protected refused(source: JsonObject) {
    return refusedInside(source, this.#provider, this.#headers);
  }
}
