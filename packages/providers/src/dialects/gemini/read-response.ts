// The content of one GenerateContentResponse, as typed events. A whole answer is one of them, a stream is
// many with parts of the answer, so both are read in the same way.
import { Fault, isObject, type JsonObject, readText } from "@turnpike/base";
import { chatLanguage, type DeltaEvent, type TokenUsage } from "@turnpike/wire";
import { dialectRules } from "../../conversation-rules.ts";
import type { FinishWords } from "../../provider.ts";
import { brokenOff } from "../../refusals/refuse.ts";
import { customToolNames, inputOf } from "../custom-tool.ts";
import { estimateTokens } from "../openai/count-tokens.ts";
import { newCallId } from "../openai/read-content.ts";
import { type FencedJson, openFence } from "../plain-json.ts";
import { type ToolNames, toolNamesOf } from "../tool-names.ts";
import { textOfDeltas } from "../written-text.ts";
import { type Said, translateFinishReason } from "./finish-reason.ts";
import type { GeminiCall } from "./generation-config.ts";
import { readLogprobs } from "./read-logprobs.ts";
import { readUsage } from "./read-usage.ts";
import { markSignature, signedCall } from "./thought-signature.ts";

type CandidateMemory = {
  said: Said;
  calls: number;
  finished: boolean;
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

  /** The calls that the caller is shown of a candidate. */
  readonly mostCalls: number;

  constructor({ request }: GeminiCall) {
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
    for (const candidate of this.#candidates.values()) if (!candidate.finished) return false;
    return this.#candidates.size > 0;
  }

  candidate(index: number): CandidateMemory {
    let candidate = this.#candidates.get(index);
    if (candidate === undefined) {
      const fence = openFence(this.#asked);
      candidate = { said: "nothing", calls: 0, finished: false, fence };
      this.#candidates.set(index, candidate);
    }
    return candidate;
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
  readonly finishes: readonly FinishWords[];
  /** So far; final only once every candidate has finished. */
  readonly usage: TokenUsage | undefined;
  readonly upstreamId: string | undefined;
};

const noFinishes: readonly FinishWords[] = [];

/**
 * Reads a response that is not an error, updating `memory`. Throws a Fault for a broken answer, and
 * for one whose media could not be shown to any caller.
 */
export function readResponse(source: JsonObject, memory: ResponseMemory): ReadResponse {
  const deltas: DeltaEvent[] = [];
  let finishes = noFinishes;
  const candidates = source.candidates ?? [];
  if (!Array.isArray(candidates)) throw brokenOff();
  for (const candidate of candidates) {
    if (!isObject(candidate)) throw brokenOff();
    const finish = readCandidate(candidate, memory, deltas);
    if (finish !== undefined) finishes = [...finishes, finish];
  }
  const blocked = candidates.length === 0 ? blockReasonOf(source) : undefined;
  if (blocked !== undefined && !memory.candidate(0).finished) {
    memory.candidate(0).finished = true;
    deltas.push({ kind: "finish", choice: 0, reason: "content_filter" });
    finishes = [...finishes, { reason: "content_filter", native: blocked }];
  }
  return {
    deltas,
    tokens: estimateTokens(Buffer.byteLength(textOfDeltas(deltas))),
    finishes,
    usage: readUsage(source.usageMetadata),
    upstreamId: readText(source.responseId),
  };
}

/** Why Google refused the prompt itself. */
function blockReasonOf({ promptFeedback }: JsonObject): string | undefined {
  const reason = readText(isObject(promptFeedback) ? promptFeedback.blockReason : undefined);
  return reason === "BLOCK_REASON_UNSPECIFIED" ? undefined : reason;
}

function readCandidate(
  source: JsonObject,
  memory: ResponseMemory,
  deltas: DeltaEvent[],
): FinishWords | undefined {
  const index = typeof source.index === "number" ? source.index : 0;
  if (!Number.isInteger(index) || index < 0 || index >= maxChoices) throw brokenOff();
  const candidate = memory.candidate(index);
  if (candidate.finished) return undefined;
  const parts = isObject(source.content) ? (source.content.parts ?? []) : [];
  if (!Array.isArray(parts)) throw brokenOff();
  for (const part of parts) {
    if (isObject(part)) readPart(part, index, candidate, memory, deltas);
  }
  const logprobs = readLogprobs(source.logprobsResult);
  if (logprobs !== undefined) deltas.push({ kind: "logprobs", choice: index, logprobs });
  const native = readText(source.finishReason);
  if (native === undefined) return undefined;
  const reason = translateFinishReason(native, candidate.said);
  if (reason === "failure") throw brokenOff(native);
  candidate.finished = true;
  addText(candidate.fence?.end() ?? "", index, deltas);
  deltas.push({ kind: "finish", choice: index, reason });
  return { reason, native };
}

function readPart(
  part: JsonObject,
  choice: number,
  candidate: CandidateMemory,
  memory: ResponseMemory,
  deltas: DeltaEvent[],
): void {
  const signature = readText(part.thoughtSignature);
  if (isObject(part.functionCall)) {
    if (candidate.calls >= memory.mostCalls) return;
    deltas.push(readCall(part.functionCall, choice, candidate.calls, signature, memory));
    candidate.calls += 1;
    candidate.said = "calls";
    return;
  }
  if (part.inlineData !== undefined || part.fileData !== undefined) {
    throw new Fault(
      "bad_gateway",
      "The upstream provider answered with media, which this gateway does not support.",
    );
  }
  const text = readText(part.text) ?? "";
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

function addText(text: string, choice: number, deltas: DeltaEvent[]): void {
  if (text !== "") deltas.push({ kind: "text", choice, text });
}

/** Clients answer calls by id, so there is one even if Gemini gives none. */
function readCall(
  call: JsonObject,
  choice: number,
  index: number,
  signature: string | undefined,
  memory: ResponseMemory,
): DeltaEvent {
  const sent = readText(call.name);
  if (sent === undefined) throw brokenOff();
  const name = memory.nameOf(sent);
  const args = isObject(call.args) ? call.args : {};
  const isCustom = memory.isCustom(name);
  return {
    kind: "tool_call",
    choice,
    index,
    id: readText(call.id) ?? newCallId(),
    name,
    arguments: isCustom ? inputOf(args) : JSON.stringify(args),
    ...(isCustom && { isCustom }),
    ...(signature !== undefined && signedCall(signature)),
  };
}
