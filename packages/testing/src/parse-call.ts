// What a request to the scripted upstream asks for: a chat in one of its formats, vectors, or another operation.
import { parseDeepgramSpeech, parseDeepgramTranscription } from "./answer-deepgram.ts";
import { parseElevenLabsSpeech, parseElevenLabsTranscription } from "./answer-elevenlabs.ts";
import {
  type EmbeddingsBody,
  parseEmbeddingsBody,
  parseGeminiEmbeddings,
} from "./answer-embeddings.ts";
import { parseOpenrouterImages, parseTogetherImages } from "./answer-foreign-images.ts";
import type { AnswerFormat } from "./answer-format.ts";
import { geminiMediaPath, parseGeminiMedia } from "./answer-gemini-media.ts";
import { parseImageEdit } from "./answer-image-edits.ts";
import { parseImageGeneration } from "./answer-images.ts";
import { parseModerations } from "./answer-moderations.ts";
import { parseRerank } from "./answer-rerank.ts";
import { parseSpeech } from "./answer-speech.ts";
import { parseTranscription } from "./answer-transcription.ts";
import { geminiFormat } from "./gemini-format.ts";
import { messagesFormat } from "./messages-format.ts";
import { openaiFormat } from "./openai-format.ts";
import type { OperationCall, ParseOperation } from "./operation-call.ts";
import { type ChatBody, parseChatBody } from "./parse-chat-body.ts";
import type { HttpRequest } from "./read-http-request.ts";
import { Refusal } from "./refuse-request.ts";
import { responsesFormat } from "./responses-format.ts";

/** By path, without its query. */
const formats: readonly (readonly [RegExp, AnswerFormat])[] = [
  [/^\/v1\/(?:chat\/completions|embeddings)$/, openaiFormat],
  [/^\/v1\/messages$/, messagesFormat],
  [/^\/v1\/responses$/, responsesFormat],
  [/^\/v1beta\/models\/[^/:]+:(?:(?:g|streamG)enerateContent|batchEmbedContents)$/, geminiFormat],
];

type OperationPath = { readonly takes: readonly string[]; readonly parse: ParseOperation };

const json = ["application/json"];
const form = ["multipart/form-data"];
const operations: ReadonlyMap<string, OperationPath> = new Map([
  ["/v1/rerank", { takes: json, parse: parseRerank }],
  ["/v2/rerank", { takes: json, parse: parseRerank }],
  ["/voyage/v1/rerank", { takes: json, parse: parseRerank }],
  ["/v1/moderations", { takes: json, parse: parseModerations }],
  ["/v1/images/generations", { takes: json, parse: parseImageGeneration }],
  [
    "/v1/images/edits",
    { takes: ["multipart/form-data", "application/json"], parse: parseImageEdit },
  ],
  ["/v1/images", { takes: json, parse: parseOpenrouterImages }],
  ["/together/v1/images/generations", { takes: json, parse: parseTogetherImages }],
  ["/v1/audio/speech", { takes: json, parse: parseSpeech }],
  ["/v1/audio/transcriptions", { takes: form, parse: parseTranscription }],
  ["/v1/audio/translations", { takes: form, parse: parseTranscription }],
  ["/v1/speech-to-text", { takes: form, parse: parseElevenLabsTranscription }],
  ["/v1/speak", { takes: json, parse: parseDeepgramSpeech }],
  ["/v1/listen", { takes: ["audio/", "video/"], parse: parseDeepgramTranscription }],
]);

/** Those that name a model or a voice. */
const namedOperations: readonly (readonly [RegExp, OperationPath])[] = [
  [geminiMediaPath, { takes: json, parse: parseGeminiMedia }],
  [/^\/v1\/text-to-speech\/[^/]+\/stream$/, { takes: json, parse: parseElevenLabsSpeech }],
];

/** Azure has OpenAI's paths under the name of a deployment. */
function withoutDeployment(path: string): string {
  return path.replace(/^\/openai\/deployments\/[^/]+\/(?=images|audio)/, "/v1/");
}

function operationOf(path: string): OperationPath | undefined {
  return (
    operations.get(withoutDeployment(path)) ??
    namedOperations.find(([pattern]) => pattern.test(path))?.[1]
  );
}

/** What a path answers in; undefined for one that is not served. */
export function formatOf(path: string): AnswerFormat | undefined {
  const format = formats.find(([pattern]) => pattern.test(path))?.[1];
  return format ?? (operationOf(path) && openaiFormat);
}

export type ParsedCall = {
  readonly parsed: unknown;
  readonly chat: ChatBody;
  /** Set if vectors are asked for and not a chat. */
  readonly embeddings: EmbeddingsBody | undefined;
  /** Set if something else is. */
  readonly operation: OperationCall | undefined;
};

/** Throws `Refusal`, `ScriptError` or `SyntaxError`. */
export async function parseCall(request: HttpRequest, format: AnswerFormat): Promise<ParsedCall> {
  const path = request.path.replace(/\?.*$/, "");
  const found = operationOf(path);
  if (found) return parseOperation(request, path, found);
  const parsed: unknown = JSON.parse(request.body.toString());
  const embeddings = parseEmbeddings(request.path, parsed);
  const chat = embeddings ? asChat(parsed, embeddings) : format.parseBody(parsed, request.path);
  return { parsed, chat, embeddings, operation: undefined };
}

async function parseOperation(
  request: HttpRequest,
  path: string,
  { takes, parse }: OperationPath,
): Promise<ParsedCall> {
  const { headers, body } = request;
  const contentType = headers["content-type"] ?? "";
  if (!takes.some((type) => contentType.toLowerCase().startsWith(type))) {
    const sentence = `Unsupported content type: '${contentType}'. This API method only accepts '${takes.join("' or '")}' requests.`;
    throw new Refusal(sentence, "unsupported_content_type", null, 415);
  }
  const { origin, searchParams: query } = new URL(request.path, `http://${headers.host}`);
  const operation = await parse({ path, query, contentType, body, origin });
  const { parsed, model, isStream, text, promptTokens } = operation;
  const chat = { ...parseChatBody({}), model, stream: isStream, lastUserText: text, promptTokens };
  return { parsed, chat, embeddings: undefined, operation };
}

function parseEmbeddings(path: string, parsed: unknown): EmbeddingsBody | undefined {
  if (path.startsWith("/v1/embeddings")) return parseEmbeddingsBody(parsed);
  return path.endsWith(":batchEmbedContents") ? parseGeminiEmbeddings(parsed) : undefined;
}

/** A script may be in the first text input, as it may be in the last message of a chat. */
function asChat(parsed: unknown, { inputs, promptTokens }: EmbeddingsBody): ChatBody {
  const text = inputs.find((input) => typeof input === "string");
  return { ...parseChatBody(parsed), lastUserText: text ?? "", promptTokens };
}
