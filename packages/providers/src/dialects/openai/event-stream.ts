// Turns an upstream's bytes into our events, however the network splits them. Nothing is counted
// twice or lost: each chunk has its own tokens, and events before a fault are yielded before it.

import { Fault } from "@turnpike/base";
import { isSseDone, SseSplitter } from "@turnpike/wire";
import type { StreamEvent, StreamOptions, StreamReader } from "../../provider.ts";
import { notJson } from "../../refusals/refuse.ts";
import type { ChatCall } from "./build-request.ts";
import {
  allFinished,
  newStreamMemory,
  normalizeChunk,
  type StreamMemory,
  whyIncomplete,
} from "./normalize-chunk.ts";
import { parseAnswer } from "./parse-content.ts";
import { releaseFinishes } from "./release-finishes.ts";
import { ContentSplicer } from "./splice-content.ts";

const blankLines = [Buffer.from("\n\n"), Buffer.from("\r\n\r\n")];

/** One answer's stream: feed it bytes, then look at `fault` and `done`. Does no I/O. */
export class EventStream implements StreamReader {
  readonly #call: ChatCall;
  readonly #splitter: SseSplitter;
  readonly #splicer: ContentSplicer;
  readonly #memory: StreamMemory;
  /** Of the reservation, what has not been handed out: what goes beyond it is handed out by itself. */
  #coveredTokens: number;
  #fault: Fault | undefined;
  #done = false;

  constructor(call: ChatCall, options: StreamOptions) {
    this.#call = call;
    this.#coveredTokens = call.coveredTokens;
    this.#memory = newStreamMemory(options.headers);
    this.#splitter = new SseSplitter({ maxEventBytes: options.maxEventBytes });
    this.#splicer = new ContentSplicer(call.provider.quirks.tokensPerDelta, options.maxEventBytes);
  }

  /** Set once the stream has failed: to be thrown after the events already returned. */
  get fault(): Fault | undefined {
    return this.#fault;
  }

  /** True after `[DONE]`, or after a verified end. */
  get done(): boolean {
    return this.#done;
  }

  /** The upstream's own id of the answer, once an event has contained it. */
  get upstreamId(): string | undefined {
    return this.#memory.upstreamId;
  }

  /** Whether every choice has said why it ended: what follows can only be usage and `[DONE]`. */
  get finished(): boolean {
    return allFinished(this.#memory);
  }

  /** The events that `bytes` complete. Never throws; after a fault or the end it returns none. */
  push(bytes: Uint8Array): StreamEvent[] {
    const events: StreamEvent[] = [];
    if (this.#fault || this.#done) return events;
    try {
      for (let at = 0; at < bytes.length && !this.#done && !this.#fault; )
        at = this.#readFrom(bytes, at, events);
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown;
      this.#fault = thrown;
    }
    return events;
  }

  /** The connection ended: complete if every choice finished, a fault otherwise. */
  end(): StreamEvent[] {
    const events: StreamEvent[] = [];
    if (this.#fault || this.#done) return events;
    try {
      this.#readAll(this.#splitter.end(), undefined, events);
      if (!this.#done) events.push(...this.#complete());
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown;
      this.#fault = thrown;
    }
    return events;
  }

  #complete(): StreamEvent[] {
    if (!this.finished) throw whyIncomplete(this.#call, this.#memory);
    const released = releaseFinishes(this.#memory, this.#call);
    this.#done = true;
    return [...released, { kind: "done" }];
  }

  /** Reads the events that begin at `from`, up to the first that has to be parsed; returns its end. */
  #readFrom(bytes: Uint8Array, from: number, events: StreamEvent[]): number {
    const isBetween = this.#splitter.isBetweenEvents;
    const before = events.length;
    const start = isBetween ? this.#splicer.splice(bytes, from, events, this.#coveredTokens) : from;
    if (start > from) this.#memory.usage = undefined;
    if (start === bytes.length) return this.#count(events, before, start);
    const end = this.#splicer.learns ? endOfEvent(bytes, start) : bytes.length;
    const raw = bytes.subarray(start, end);
    const payloads = this.#splitter.push(raw);
    const isOneEvent = isBetween && payloads.length === 1 && this.#splitter.isBetweenEvents;
    this.#readAll(payloads, isOneEvent ? raw : undefined, events);
    return this.#count(events, before, end);
  }

  #count(events: readonly StreamEvent[], from: number, end: number): number {
    for (let at = from; at < events.length; at += 1) {
      const event = events[at];
      if (event !== undefined && "tokens" in event) this.#coveredTokens -= event.tokens;
    }
    return end;
  }

  #readAll(payloads: readonly string[], raw: Uint8Array | undefined, events: StreamEvent[]): void {
    for (let position = 0; position < payloads.length && !this.#done; position += 1) {
      const payload = payloads[position] ?? "";
      this.#read(payload, raw, events, this.#splitter.isNamedError(position));
    }
  }

  /** `raw` contains only the payload. */
  #read(
    payload: string,
    raw: Uint8Array | undefined,
    events: StreamEvent[],
    isNamedError: boolean,
  ): void {
    if (isSseDone(payload)) {
      events.push(...this.#complete());
      return;
    }
    const source = parseAnswer(payload);
    if (!source) throw notJson();
    const before = events.length;
    normalizeChunk(source, this.#call, this.#memory, events, isNamedError);
    const first = events[before];
    if (first === undefined) return;
    const sole = events.length === before + 1 && this.#memory.usage === undefined;
    if (!sole || first.kind !== "chunk") this.#splicer.forget();
    else if (raw !== undefined) this.#splicer.learn(raw, payload, first.json);
  }
}

/** One past the blank line that ends the event at `from`, or the end of the bytes. */
function endOfEvent(bytes: Uint8Array, from: number): number {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const blankLine of blankLines) {
    const at = view.indexOf(blankLine, from);
    if (at !== -1) return at + blankLine.length;
  }
  return bytes.length;
}
