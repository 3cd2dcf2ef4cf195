// Turns the bytes of an Anthropic stream into our events. Events reach a caller of the same language
// unchanged except for the id and the model; for any other they are typed deltas. Usage is cumulative: what
// `message_delta` says at the end is billed, and what came before it if the stream breaks off.
import { type Fault, isObject, type JsonObject, parseObject, parseText } from "@turnpike/base";
import {
  type ChatRequest,
  type DeltaEvent,
  messagesLanguage,
  parseExactObject,
  setInnerMembers,
} from "@turnpike/wire";
import type {
  AnthropicProvider,
  StreamEvent,
  StreamOptions,
  UpstreamCall,
} from "../../provider.ts";
import { meaningOfTyped } from "../../refusals/parse-error-body.ts";
import { afterDelivery, brokenOff, notJson, refusedInside } from "../../refusals/refuse.ts";
import { customToolNames } from "../custom-tool.ts";
import { estimateTokens } from "../openai/count-tokens.ts";
import { PayloadStream } from "../payload-stream.ts";
import { type FencedJson, openFence } from "../plain-json.ts";
import { RetainedBound } from "../retained-bound.ts";
import type { ToolNames } from "../tool-names.ts";
import { textOfDeltas, writtenText } from "../written-text.ts";
import {
  argumentsContent,
  endCustom,
  noContent,
  type OpenCall,
  textContent,
  thinkingContent,
} from "./block-content.ts";
import { BlockOrder, outOfOrder } from "./block-order.ts";
import { nameAnswer } from "./name-answer.ts";
import { namesOf } from "./names-of.ts";
import { beginCall, parseRedacted, parseStop } from "./parse-blocks.ts";
import { mergeUsage, parseAnthropicUsage } from "./parse-usage.ts";

export type MessagesCall = UpstreamCall<ChatRequest, AnthropicProvider>;

/** What a call that is kept until it is complete costs in memory. */
const charsPerCall = 256;

/** Only `message_stop` ends a message. */
export class MessageStream extends PayloadStream {
  readonly #call: MessagesCall;
  readonly #headers: Headers;
  readonly #isTranslated: boolean;
  readonly #customTools: ReadonlySet<unknown>;
  readonly #names: ToolNames;
  /** For texts whose code fence is left out. */
  readonly #fence: FencedJson | undefined;
  #delivered = false;
  #stopped = false;
  #usage: JsonObject = {};
  #callCount = 0;
  /** Calls that have begun and not ended, by the index of their block. */
  readonly #calls = new Map<unknown, OpenCall>();
  readonly #order = new BlockOrder();
  readonly #retained = new RetainedBound();

  constructor(call: MessagesCall, options: StreamOptions) {
    super(options);
    this.#call = call;
    this.#headers = options.headers;
    this.#isTranslated = call.request.language !== messagesLanguage;
    this.#fence = this.#isTranslated ? openFence(call.request.parsed) : undefined;
    this.#names = namesOf(call.request);
    this.#customTools = this.#isTranslated ? customToolNames(call.request.parsed) : new Set();
  }

  protected read(payload: string, out: StreamEvent[], isNamedError: boolean): void {
    const source = this.#isTranslated ? parseExactObject(payload) : parseObject(payload);
    if (source === undefined) throw notJson();
    switch (source.type) {
      case "ping":
        break;
      case "error":
        throw this.refused(source);
      case "message_start":
        this.#start(source, payload, out);
        break;
      case "message_delta":
        this.#readEnd(source, payload, out);
        break;
      case "message_stop":
        this.#stop(out);
        break;
      default:
        if (!this.isAnswer(source, meaningOfTyped(source, isNamedError))) return;
        this.#readBlock(source, payload, out);
    }
  }

  protected refused(source: JsonObject): Fault {
    return afterDelivery(
      refusedInside(source, this.#call.provider, this.#headers),
      this.#delivered,
    );
  }

  #start(source: JsonObject, payload: string, out: StreamEvent[]): void {
    const message = isObject(source.message) ? source.message : {};
    this.noteId(parseText(message.id));
    this.#usage = mergeUsage(this.#usage, message.usage);
    if (!this.#isTranslated) {
      const named = setInnerMembers(payload, "message", nameAnswer(this.#call));
      this.#relay(source, named, message.content, out);
    }
    this.#noteUsage(out);
  }

  /**
   * The event unchanged, after the end of a block that the upstream omitted. `content` is the part of it that the
   * model may have written.
   */
  #relay(source: JsonObject, payload: string, content: unknown, out: StreamEvent[]): void {
    const name = String(source.type);
    const index = this.#order.last;
    if (this.#order.follow(name, source)) {
      out.push(own("content_block_stop", JSON.stringify({ type: "content_block_stop", index }), 0));
    }
    const tokens = countText(writtenText(content));
    this.#delivered ||= tokens > 0;
    out.push(own(name, payload, tokens));
  }

  #emit(deltas: readonly DeltaEvent[], out: StreamEvent[]): void {
    const tokens = countText(textOfDeltas(deltas));
    this.#delivered ||= tokens > 0;
    this.#retained.addDeltas(deltas, tokens);
    out.push({ kind: "deltas", deltas, tokens });
  }

  #readEnd(source: JsonObject, payload: string, out: StreamEvent[]): void {
    this.#usage = mergeUsage(this.#usage, source.usage);
    const delta = isObject(source.delta) ? source.delta : {};
    if (!this.#isTranslated) this.#relay(source, payload, delta, out);
    if (parseText(delta.stop_reason) !== undefined) this.#noteStop(delta, out);
    this.#noteUsage(out);
  }

  #noteUsage(out: StreamEvent[]): void {
    const usage = parseAnthropicUsage(this.#usage);
    if (usage !== undefined) out.push({ kind: this.#stopped ? "usage" : "early_usage", usage });
  }

  #noteStop(delta: JsonObject, out: StreamEvent[]): void {
    if (this.#stopped) return;
    this.#stopped = true;
    const { event, words } = parseStop(delta);
    if (this.#isTranslated) this.#emit([...this.#endFence(), event], out);
    out.push({ kind: "finish", ...words });
  }

  /** A message without a stop reason was broken off. */
  #stop(out: StreamEvent[]): void {
    if (!this.#stopped) throw brokenOff();
    this.complete(out);
  }

  #readBlock(source: JsonObject, payload: string, out: StreamEvent[]): void {
    const name = parseText(source.type);
    if (name === undefined) throw outOfOrder();
    if (!this.#isTranslated) {
      this.#relay(source, payload, source.content_block ?? source.delta ?? source, out);
      return;
    }
    const deltas = this.#readDeltas(name, source);
    if (deltas.length === 0) return;
    // Nothing can follow the stop reason.
    if (this.#stopped) throw outOfOrder();
    this.#emit(deltas, out);
  }

  #readDeltas(name: string, source: JsonObject): readonly DeltaEvent[] {
    if (name === "content_block_start" && isObject(source.content_block)) {
      return this.#beginBlock(source.index, source.content_block);
    }
    if (name === "content_block_delta" && isObject(source.delta)) {
      return this.#fillBlock(source.index, source.delta);
    }
    if (name !== "content_block_stop") return noContent;
    const call = this.#calls.get(source.index);
    this.#calls.delete(source.index);
    if (call === undefined) return this.#endFence();
    if (call.custom !== undefined) return endCustom(call, call.custom);
    // A call without arguments has no delta, and clients parse the arguments they receive.
    return call.hasFragments ? noContent : argumentsContent(call, JSON.stringify(call.input ?? {}));
  }

  #beginBlock(index: unknown, block: JsonObject): readonly DeltaEvent[] {
    if (block.type === "tool_use") {
      const begun = beginCall(block, this.#callCount, this.#names);
      const custom = this.#customTools.has(begun.name) ? begun : undefined;
      const { input } = block;
      this.#calls.set(index, { index: begun.index, input, hasFragments: false, custom, json: "" });
      this.#callCount += 1;
      if (custom !== undefined) {
        this.#retained.add(charsPerCall);
        return noContent;
      }
      return [begun];
    }
    if (block.type === "redacted_thinking") return parseRedacted(block);
    if (block.type === "thinking")
      return thinkingContent(parseText(block.thinking) ?? "", undefined);
    return block.type === "text" ? this.#textContent(block.text) : noContent;
  }

  #fillBlock(index: unknown, delta: JsonObject): readonly DeltaEvent[] {
    switch (delta.type) {
      case "text_delta":
        return this.#textContent(delta.text);
      case "thinking_delta":
        return thinkingContent(parseText(delta.thinking) ?? "", undefined);
      case "signature_delta":
        return thinkingContent("", parseText(delta.signature));
      case "input_json_delta": {
        const call = this.#calls.get(index);
        const fragment = parseText(delta.partial_json);
        if (fragment === undefined || call === undefined) return noContent;
        call.hasFragments = true;
        if (call.custom !== undefined) {
          call.json += fragment;
          this.#retained.add(fragment.length);
          return noContent;
        }
        return argumentsContent(call, fragment);
      }
      default:
        return noContent;
    }
  }

  #textContent(said: unknown): readonly DeltaEvent[] {
    const text = parseText(said) ?? "";
    return textContent(this.#fence?.add(text) ?? text);
  }

  /** The end of a text that was held back. */
  #endFence(): readonly DeltaEvent[] {
    return textContent(this.#fence?.end() ?? "");
  }
}

function countText(text: string): number {
  return estimateTokens(Buffer.byteLength(text));
}

function own(name: string, payload: string, tokens: number): StreamEvent {
  return { kind: "chunk", name, json: singleLine(payload), tokens };
}

/** An event may be spread over lines; ours are one. */
function singleLine(json: string): string {
  return json.includes("\n") ? JSON.stringify(JSON.parse(json)) : json;
}
