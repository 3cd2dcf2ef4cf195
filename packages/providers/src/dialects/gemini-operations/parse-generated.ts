// What an answer of generateContent is made of, where it is no chat: its media or its text, and the tokens of each kind. A
// prompt or an answer that Google's filters stopped is refused as such, and costs nothing.
import { Fault, isObject, type JsonObject, parseObject, parseText } from "@turnpike/base";
import type { ParsedRequest, TokenUsage } from "@turnpike/wire";
import type { GoogleProvider, UpstreamCall } from "../../provider.ts";
import { brokenOff, unreadable } from "../../refusals/refuse.ts";
import { acceptBody } from "../accept-body.ts";
import { translateFinishReason } from "../gemini/finish-reason.ts";
import { blockReasonOf } from "../gemini/parse-response.ts";
import { countModality, parseUsage } from "../gemini/parse-usage.ts";

type Medium = { readonly mimeType: string; readonly base64: string };

type Generated = {
  readonly upstreamId: string | undefined;
  readonly media: readonly Medium[];
  readonly text: string;
  readonly usage: TokenUsage | undefined;
  /** Whether a limit cut it. */
  readonly isCut: boolean;
};

/** `about` is what a filter may have stopped. Throws the Fault of an answer that is none. */
export function parseGenerated(
  call: UpstreamCall<ParsedRequest, GoogleProvider>,
  body: string,
  headers: Headers,
  about: "prompt" | "input" | "file",
): Generated {
  const source = acceptBody(parseObject(body), call, headers);
  const blocked = blockReasonOf(source);
  if (blocked !== undefined) throw filtered(blocked, about);
  const [candidate] = Array.isArray(source.candidates) ? source.candidates : [];
  if (!isObject(candidate)) throw unreadable();
  const parts = partsOf(candidate);
  const media = parts.flatMap(parseMedium);
  const text = parts.map(({ text: said }) => parseText(said) ?? "").join("");
  const native = parseText(candidate.finishReason);
  const isEmpty = media.length === 0 && text === "";
  const reason = translateFinishReason(native ?? "STOP", isEmpty ? "nothing" : "text");
  if (reason === "content_filter") throw filtered(native ?? "SAFETY", about);
  if (reason === "failure") throw brokenOff(native);
  const usage = parseMediaUsage(source.usageMetadata);
  const upstreamId = parseText(source.responseId);
  return { upstreamId, media, text, usage, isCut: reason === "length" };
}

/** Without its thoughts: drafts of an image are no part of the answer. */
function partsOf({ content }: JsonObject): readonly JsonObject[] {
  const parts: unknown = isObject(content) ? content.parts : [];
  if (!Array.isArray(parts)) return [];
  return parts.filter(isObject).filter(({ thought }) => thought !== true);
}

function parseMedium({ inlineData }: JsonObject): readonly Medium[] {
  if (!isObject(inlineData)) return [];
  const [mimeType, base64] = [parseText(inlineData.mimeType), parseText(inlineData.data)];
  return mimeType === undefined || !base64 ? [] : [{ mimeType, base64 }];
}

function filtered(native: string, param: string): Fault {
  const sentence = `The upstream provider's content filter refused this request (${native}).`;
  return new Fault("content_filter", sentence, { param, upstreamText: native });
}

/** With the tokens of images that were read and of audio that was spoken, which chats do not have. */
export function parseMediaUsage(usage: unknown): TokenUsage | undefined {
  const counts = parseUsage(usage);
  if (counts === undefined || !isObject(usage)) return undefined;
  const images = countModality(usage.promptTokensDetails, "IMAGE") ?? 0;
  const audio = countModality(usage.candidatesTokensDetails, "AUDIO") ?? 0;
  return {
    ...counts,
    ...(images > 0 && { imagePromptTokens: Math.min(images, counts.promptTokens) }),
    ...(audio > 0 && { audioCompletionTokens: Math.min(audio, counts.completionTokens) }),
  };
}
