// Turns the bytes of Gemini's stream into our events, whatever the network does to them. It has no mark at
// its end: it is complete once every candidate has said why it stopped.
import { Fault } from "@turnpike/base";
import { SseSplitter } from "@turnpike/wire";
import type { StreamEvent, StreamOptions, StreamReader } from "../../provider.ts";
import { refusedInside } from "../../refusals/refuse.ts";
import { isErrorBody } from "../openai/read-content.ts";
import { RetainedBound } from "../retained-bound.ts";
import type { GeminiCall } from "./generation-config.ts";
import { ResponseMemory, readResponse } from "./read-response.ts";
import { parseGeminiBody } from "./read-whole.ts";
import { StrayText } from "./stray-text.ts";

/** One answer's stream: feed it bytes, then look at `fault` and `done`. Does no I/O. */
export class GeminiStream implements StreamReader {
  readonly #call: GeminiCall;
  readonly #headers: Headers;
  readonly #splitter: SseSplitter;
  readonly #memory: ResponseMemory;
  readonly #stray = new StrayText();
  readonly #retained = new RetainedBound();
  #delivered = false;
  #fault: Fault | undefined;
  #done = false;
  #upstreamId: string | undefined;

  constructor(call: GeminiCall, { maxEventBytes, headers }: StreamOptions) {
    this.#call = call;
    this.#headers = headers;
    this.#splitter = new SseSplitter({ maxEventBytes });
    this.#memory = new ResponseMemory(call);
  }

  get fault(): Fault | undefined {
    return this.#fault;
  }

  get done(): boolean {
    return this.#done;
  }

  get finished(): boolean {
    return this.#memory.finished;
  }

  get upstreamId(): string | undefined {
    return this.#upstreamId;
  }

  push(bytes: Uint8Array): StreamEvent[] {
    const events: StreamEvent[] = [];
    if (this.#fault || this.#done) return events;
    try {
      const payloads = this.#splitter.push(bytes);
      this.#stray.push(bytes, payloads.length > 0);
      for (const payload of payloads) this.#read(payload, events);
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown;
      this.#fault = thrown;
    }
    return events;
  }

  /** Between events Google writes an error as it is, without the framing of an event. */
  end(): StreamEvent[] {
    if (this.#fault || this.#done) return [];
    if (this.finished) {
      this.#done = true;
      return [{ kind: "done" }];
    }
    const error = parseGeminiBody(this.#stray.text);
    const broken = "The upstream provider ended its answer before it was complete.";
    this.#fault =
      error !== undefined && isErrorBody(error)
        ? this.#refused(error)
        : new Fault("bad_gateway", broken);
    return [];
  }

  #read(payload: string, events: StreamEvent[]): void {
    // Imitators of the service end as OpenAI's streams do; the end of the connection says more.
    if (payload.trim() === "[DONE]") return;
    const source = parseGeminiBody(payload);
    if (source === undefined) {
      throw new Fault("bad_gateway", "The upstream provider sent an event that is not JSON.");
    }
    if (isErrorBody(source)) throw this.#refused(source);
    const read = readResponse(source, this.#memory);
    this.#upstreamId ??= read.upstreamId;
    const { deltas, tokens } = read;
    this.#retained.addDeltas(deltas, tokens);
    if (deltas.length > 0) events.push({ kind: "deltas", deltas, tokens });
    this.#delivered ||= tokens > 0;
    for (const finish of read.finishes) events.push({ kind: "finish", ...finish });
    // Each response repeats the counts so far.
    if (read.usage === undefined) return;
    events.push({ kind: this.finished ? "usage" : "early_usage", usage: read.usage });
  }

  /** An error inside a stream keeps its own status only while nothing has been delivered. */
  #refused(source: Parameters<typeof refusedInside>[0]): Fault {
    const fault = refusedInside(source, this.#call.provider, this.#headers);
    if (!this.#delivered || fault.code === "bad_gateway") return fault;
    return new Fault("bad_gateway", fault.message, { cause: fault });
  }
}
