// Typed deltas as the parts of one candidate. A call is a part of its own and is written when its arguments are complete; text
// and thoughts are written as they come.

import type { JsonObject } from "@turnpike/base";
import { parseExactObject } from "../json/exact-numbers.ts";
import { ObjectEnd } from "../json/object-end.ts";
import { joinToolCall } from "../protocol/join-tool-call.ts";
import type { DeltaEvent, FinishReason, ToolCall } from "../protocol/pivot.ts";
import type { GeminiRequest } from "./parse-gemini-request.ts";
import { parseSignature, sealSignature, signatureInCall } from "./thought-signature.ts";

type Reasoning = Extract<DeltaEvent, { kind: "reasoning" }>;
type Encrypted = Extract<DeltaEvent, { kind: "reasoning_encrypted" }>;
type OpenCall = { readonly call: ToolCall; readonly end: ObjectEnd };

/** Feed it the deltas of one candidate in order. */
export class PartWriter {
  readonly #request: GeminiRequest;
  /** Calls that are not written, in the order they began. */
  readonly #open = new Map<number, OpenCall>();
  readonly #written = new Set<number>();
  readonly #chosen: JsonObject[] = [];
  /** Thoughts that are not shown, for the signature that proves them. */
  #hidden = "";
  #finish: FinishReason | undefined;

  constructor(request: GeminiRequest) {
    this.#request = request;
  }

  write(event: DeltaEvent): JsonObject[] {
    switch (event.kind) {
      case "text":
      case "refusal":
        return event.text === "" ? [] : [{ text: event.text }];
      case "reasoning":
        return this.#think(event);
      case "reasoning_encrypted":
        return [encryptedPart(event)];
      case "tool_call":
        return this.#call(event);
      case "logprobs":
        this.#addLogprobs(event.logprobs);
        return [];
      case "finish":
        this.#finish = event.reason;
        return [];
      case "image":
        return [imagePart(event.url)];
      case "audio":
        return [];
    }
  }

  /** The calls that no end was seen of. */
  end(): JsonObject[] {
    const rest = [...this.#open.values()].map(({ call }) => this.#partOf(call));
    this.#open.clear();
    return rest;
  }

  /** What the candidate has besides its parts, once it has ended. */
  get ending(): JsonObject {
    const ending: JsonObject = { finishReason: finishReasonOf(this.#finish) };
    if (this.#chosen.length > 0) ending.logprobsResult = logprobsOf(this.#chosen);
    return ending;
  }

  #think({ text, signature, format }: Reasoning): JsonObject[] {
    const { showsThoughts } = this.#request;
    const shown = showsThoughts ? text : "";
    if (!showsThoughts) this.#hidden += text;
    if (signature === undefined) return shown === "" ? [] : [{ text: shown, thought: true }];
    const own = parseSignature(signature);
    const named = format === undefined ? {} : { format };
    // The text of hidden thoughts comes back with the signature that proves it.
    const kept = showsThoughts ? {} : { text: this.#hidden };
    this.#hidden = "";
    const detail = { type: "reasoning.text", signature, ...named, ...kept };
    const thoughtSignature = own ?? sealSignature({ details: [detail], callExtras: new Map() });
    return [{ text: shown, thought: true, thoughtSignature }];
  }

  #call(event: ToolCall): JsonObject[] {
    const { index } = event;
    // Some providers end with an empty fragment of each call.
    if (this.#written.has(index)) return [];
    const known = this.#open.get(index);
    const end = known?.end ?? new ObjectEnd();
    end.add(event.arguments);
    this.#open.set(index, { call: joinToolCall(known?.call, event), end });
    return this.#writeComplete();
  }

  #writeComplete(): JsonObject[] {
    const parts: JsonObject[] = [];
    for (const [index, { call, end }] of this.#open) {
      if (call.name === undefined || !end.isReached) break;
      this.#open.delete(index);
      this.#written.add(index);
      parts.push(this.#partOf(call));
    }
    return parts;
  }

  #partOf({ id, name = "", arguments: spelled, extra }: ToolCall): JsonObject {
    const own = this.#request.toolNames.get(name) ?? name;
    // Malformed arguments are shown unchanged: the caller can tell the model.
    const args = spelled.trim() === "" ? {} : (parseExactObject(spelled) ?? { arguments: spelled });
    const functionCall = { ...(id !== undefined && { id }), name: own, args };
    if (extra === undefined) return { functionCall };
    const callExtras = new Map([[id ?? "", extra]]);
    const thoughtSignature = signatureInCall(extra) ?? sealSignature({ details: [], callExtras });
    return { functionCall, thoughtSignature };
  }

  #addLogprobs({ content }: JsonObject): void {
    if (!Array.isArray(content)) return;
    for (const token of content) this.#chosen.push(token);
  }
}

/** Of Gemini's it is the signature of the text before it; of others it is reasoning. */
function encryptedPart({ data, id, format }: Encrypted): JsonObject {
  const own = parseSignature(data);
  if (own !== undefined) return { text: "", thoughtSignature: own };
  const detail: JsonObject = { type: "reasoning.encrypted", data };
  if (id !== undefined) detail.id = id;
  if (format !== undefined) detail.format = format;
  const thoughtSignature = sealSignature({ details: [detail], callExtras: new Map() });
  return { text: "", thought: true, thoughtSignature };
}

/** One without a reason has ended its turn. */
function finishReasonOf(reason: FinishReason | undefined): string {
  if (reason === "length") return "MAX_TOKENS";
  return reason === "content_filter" ? "SAFETY" : "STOP";
}

function logprobsOf(tokens: readonly JsonObject[]): JsonObject {
  const candidateOf = ({ token, logprob }: JsonObject) => ({ token, logProbability: logprob });
  return {
    chosenCandidates: tokens.map(candidateOf),
    topCandidates: tokens.map(({ top_logprobs: top }) => ({
      candidates: Array.isArray(top) ? top.map(candidateOf) : [],
    })),
  };
}

/** Parts that are nothing but text of the same kind, joined; what signs the last of them signs them all. */
export function joinParts(parts: readonly JsonObject[]): JsonObject[] {
  const joined: JsonObject[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    const isMore = last !== undefined && isPlainText(last) && typeof part.text === "string";
    if (isMore && last.thought === part.thought) {
      joined[joined.length - 1] = { ...last, ...part, text: String(last.text) + part.text };
    } else joined.push(part);
  }
  return joined;
}

/** An image comes as a data URL. */
function imagePart(url: string): JsonObject {
  if (!url.startsWith("data:")) return { fileData: { fileUri: url } };
  const [head = "", data = ""] = url.split(",", 2);
  return { inlineData: { mimeType: head.replace(/^data:|;base64$/g, ""), data } };
}

function isPlainText({ text, thoughtSignature }: JsonObject): boolean {
  return typeof text === "string" && thoughtSignature === undefined;
}
