// The content of one GenerateContentResponse, as typed events. A whole answer is one of them, a stream is
// many with parts of the answer, so both are read in the same way.
import { Fault, isObject, type JsonObject, parseText } from "@turnpike/base";
import {
  chatLanguage,
  type DeltaEvent,
  geminiLanguage,
  markSignature,
  type TokenUsage,
} from "@turnpike/wire";
import { dialectRules } from "../../conversation-rules.ts";
import type { FinishWords } from "../../provider.ts";
import { brokenOff } from "../../refusals/refuse.ts";
import { customToolNames, inputOf } from "../custom-tool.ts";
import { estimateTokens } from "../openai/count-tokens.ts";
import { newCallId } from "../openai/parse-content.ts";
import { type FencedJson, openFence } from "../plain-json.ts";
import { type ToolNames, toolNamesOf } from "../tool-names.ts";
import { textOfDeltas } from "../written-text.ts";
import { type Said, translateFinishReason } from "./finish-reason.ts";
import type { GeminiCall } from "./generation-config.ts";
import { parseUsage } from "./parse-usage.ts";
import { signedCall } from "./thought-signature.ts";

type CandidateMemory = {
  said: Said;
  calls: number;
  /** The last reason why it ended; more may follow, since some servers give one with each text. */
  native: string | undefined;
  /** For a text whose code fence is left out. */
  readonly fence: FencedJson | undefined;
};

/** OpenAI's API reference: `n` is at most 128. Also the most calls that openai-node 7 accepts. */
const maxChoices = 128;

/** What is known of an answer after the responses read so far. */
export class ResponseMemory {
  readonly #candidates = new Map<number, CandidateMemory>();
  readonly #customTools: ReadonlySet<unknown>;
  readonly #names: ToolNames;
  readonly #asked: JsonObject;
  /** A caller of the same language may be shown whatever it is. */
  readonly isRelayed: boolean;

  /** The calls that the caller is shown of a candidate. */
  readonly mostCalls: number;
  /** Why the prompt was refused. */
  blocked: string | undefined;
  /** That were delivered. Drafts of a model that thinks in images are not part of the answer. */
  images = 0;

  constructor({ request }: GeminiCall) {
    this.isRelayed = request.language === geminiLanguage;
    this.#asked = request.parsed;
    this.#customTools = customToolNames(request.parsed);
    this.#names = toolNamesOf(request, dialectRules.gemini.toolNames.is);
    // Clients of other APIs send it with every request and answer all calls, as Codex does.
    const isSingle =
      request.language === chatLanguage && request.parsed.parallel_tool_calls === false;
    this.mostCalls = isSingle ? 1 : maxChoices;
  }

  /** At least one candidate, and none without its finish. */
  get finished(): boolean {
    for (const { native } of this.#candidates.values()) if (native === undefined) return false;
    return this.#candidates.size > 0;
  }

  get candidates(): ReadonlyMap<number, CandidateMemory> {
    return this.#candidates;
  }

  candidate(index: number): CandidateMemory {
    let candidate = this.#candidates.get(index);
    if (candidate === undefined) {
      const fence = openFence(this.#asked);
      candidate = { said: "nothing", calls: 0, native: undefined, fence };
      this.#candidates.set(index, candidate);
    }
    return candidate;
  }

  /** Whether the caller asked for images. */
  get wantsImages(): boolean {
    const { modalities } = this.#asked;
    return Array.isArray(modalities) && modalities.includes("image");
  }

  /** The caller's own name of a tool. */
  nameOf(sent: string): string {
    return this.#names.own(sent);
  }

  isCustom(name: string): boolean {
    return this.#customTools.has(name);
  }
}

export type ReadResponse = {
  readonly deltas: readonly DeltaEvent[];
  /** How much they deliver, by our own count. */
  readonly tokens: number;
  /** So far; final only once every candidate has finished. */
  readonly usage: TokenUsage | undefined;
  readonly upstreamId: string | undefined;
};

/**
 * Reads a response that is not an error, updating `memory`. Throws a Fault for a broken answer, and
 * for one whose media could not be shown to any caller.
 */
export function parseResponse(source: JsonObject, memory: ResponseMemory): ReadResponse {
  const deltas: DeltaEvent[] = [];
  const candidates = source.candidates ?? [];
  if (!Array.isArray(candidates)) throw brokenOff();
  for (const candidate of candidates) {
    if (!isObject(candidate)) throw brokenOff();
    parseCandidate(candidate, memory, deltas);
  }
  const blocked = candidates.length === 0 ? blockReasonOf(source) : undefined;
  if (blocked !== undefined && !memory.finished) {
    memory.blocked = blocked;
    memory.candidate(0).native = blocked;
  }
  return {
    deltas,
    tokens: countDeltas(deltas),
    usage: parseUsage(source.usageMetadata),
    upstreamId: parseText(source.responseId),
  };
}

export function countDeltas(deltas: readonly DeltaEvent[]): number {
  return estimateTokens(Buffer.byteLength(textOfDeltas(deltas)));
}

export type ReadEnd = Pick<ReadResponse, "deltas"> & {
  readonly finishes: readonly FinishWords[];
};

/**
 * What remains to be said at the end of an answer, once all of it is known: ends of texts that were held back, and why
 * each candidate stopped. Throws a Fault for one that broke off.
 */
export function readEnd(memory: ResponseMemory): ReadEnd {
  const deltas: DeltaEvent[] = [];
  const finishes: FinishWords[] = [];
  for (const [choice, { native = "STOP", said, fence }] of memory.candidates) {
    const isBlocked = memory.blocked !== undefined && choice === 0;
    const reason = isBlocked ? "content_filter" : translateFinishReason(native, said);
    if (reason === "failure") throw brokenOff(native);
    addText(fence?.end() ?? "", choice, deltas);
    deltas.push({ kind: "finish", choice, reason });
    finishes.push({ reason, native });
  }
  return { deltas, finishes };
}

/** Why Google refused the prompt itself. */
export function blockReasonOf({ promptFeedback }: JsonObject): string | undefined {
  const reason = parseText(isObject(promptFeedback) ? promptFeedback.blockReason : undefined);
  return reason === "BLOCK_REASON_UNSPECIFIED" ? undefined : reason;
}

function parseCandidate(source: JsonObject, memory: ResponseMemory, deltas: DeltaEvent[]): void {
  const index = typeof source.index === "number" ? source.index : 0;
  if (!Number.isInteger(index) || index < 0 || index >= maxChoices) throw brokenOff();
  const candidate = memory.candidate(index);
  const parts = isObject(source.content) ? (source.content.parts ?? []) : [];
  if (!Array.isArray(parts)) throw brokenOff();
  // Relayed as it is, so a client has to be able to read it.
  if (memory.isRelayed && !isReadable(source, parts)) throw brokenOff();
  for (const part of parts) {
    if (isObject(part)) parsePart(part, index, candidate, memory, deltas);
  }
  const logprobs = parseLogprobs(source.logprobsResult);
  if (logprobs !== undefined) deltas.push({ kind: "logprobs", choice: index, logprobs });
  const native = parseText(source.finishReason);
  if (native === undefined || native === "FINISH_REASON_UNSPECIFIED") return;
  if (translateFinishReason(native, candidate.said) === "failure") throw brokenOff(native);
  candidate.native = native;
}

function isReadable({ content }: JsonObject, parts: readonly unknown[]): boolean {
  return ((content ?? null) === null || isObject(content)) && parts.every(isObject);
}

function parsePart(
  part: JsonObject,
  choice: number,
  candidate: CandidateMemory,
  memory: ResponseMemory,
  deltas: DeltaEvent[],
): void {
  const signature = parseText(part.thoughtSignature);
  if (part.thought !== true && isImage(part.inlineData)) memory.images += 1;
  if (isObject(part.functionCall)) {
    if (candidate.calls >= memory.mostCalls) return;
    deltas.push(parseCall(part.functionCall, choice, candidate.calls, signature, memory));
    candidate.calls += 1;
    candidate.said = "calls";
    return;
  }
  if (isObject(part.inlineData) && memory.wantsImages) {
    const url = imageUrlOf(part.inlineData);
    if (url === undefined) throw brokenOff();
    if (part.thought !== true) deltas.push({ kind: "image", choice, url });
    if (candidate.said === "nothing") candidate.said = "text";
    return;
  }
  if (part.inlineData !== undefined || part.fileData !== undefined) {
    if (memory.isRelayed) return;
    throw new Fault(
      "bad_gateway",
      "The upstream provider answered with media, which this gateway does not support.",
    );
  }
  const text = parseText(part.text) ?? "";
  if (part.thought === true) {
    if (text === "" && signature === undefined) return;
    const marked = signature === undefined ? undefined : markSignature(signature);
    deltas.push({ kind: "reasoning", choice, text, signature: marked });
    return;
  }
  if (text !== "") {
    addText(candidate.fence?.add(text) ?? text, choice, deltas);
    if (candidate.said === "nothing") candidate.said = "text";
  }
  if (signature !== undefined) {
    const data = markSignature(signature);
    deltas.push({ kind: "reasoning_encrypted", choice, data, id: undefined });
  }
}

function isImage(data: unknown): boolean {
  return isObject(data) && imageUrlOf(data) !== undefined;
}

function imageUrlOf({ mimeType, data }: JsonObject): string | undefined {
  if (typeof mimeType !== "string" || typeof data !== "string") return undefined;
  return /^image\/[a-z0-9.+-]+$/.test(mimeType) ? `data:${mimeType};base64,${data}` : undefined;
}

function addText(text: string, choice: number, deltas: DeltaEvent[]): void {
  if (text !== "") deltas.push({ kind: "text", choice, text });
}

/** Clients answer calls by id, so there is one even if Gemini gives none. */
function parseCall(
  call: JsonObject,
  choice: number,
  index: number,
  signature: string | undefined,
  memory: ResponseMemory,
): DeltaEvent {
  const sent = parseText(call.name);
  if (sent === undefined) throw brokenOff();
  const name = memory.nameOf(sent);
  const args = isObject(call.args) ? call.args : {};
  const isCustom = memory.isCustom(name);
  return {
    kind: "tool_call",
    choice,
    index,
    id: parseText(call.id) ?? newCallId(),
    name,
    arguments: isCustom ? inputOf(args) : JSON.stringify(args),
    ...(isCustom && { isCustom }),
    ...(signature !== undefined && signedCall(signature)),
  };
}

/** `logprobsResult` of a candidate in OpenAI's shape; undefined if it is absent. */
function parseLogprobs(result: unknown): JsonObject | undefined {
  if (!isObject(result) || !Array.isArray(result.chosenCandidates)) return undefined;
  const tops: readonly unknown[] = Array.isArray(result.topCandidates) ? result.topCandidates : [];
  const content = result.chosenCandidates.filter(isObject).map((chosen, index) => {
    const top = tops[index];
    const candidates = isObject(top) && Array.isArray(top.candidates) ? top.candidates : [];
    return { ...parseToken(chosen), top_logprobs: candidates.filter(isObject).map(parseToken) };
  });
  return { content, refusal: null };
}

function parseToken({ token, logProbability }: JsonObject) {
  const text = parseText(token) ?? "";
  const logprob = typeof logProbability === "number" ? logProbability : 0;
  return { token: text, logprob, bytes: [...Buffer.from(text)] };
}
