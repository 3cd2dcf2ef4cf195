// Turns the bytes of an upstream's response stream into our events. An event passes as it is, unless it
// shows the response itself; the last one waits for the bill.
import { Fault, isObject, type JsonObject, parseObject, readText } from "@turnpike/base";
import { SseSplitter } from "@turnpike/wire";
import type { StreamEvent, StreamOptions, StreamReader } from "../../provider.ts";
import { isErrorBody, refusedInside } from "../../refusals/refuse.ts";
import { countDelta } from "../openai/count-tokens.ts";
import type { ResponseCall } from "./ask-response.ts";
import { presentOwn, readFinish, readResponseUsage } from "./read-response.ts";

const endings = new Set(["response.completed", "response.incomplete"]);

/** One answer's stream: feed it bytes, then look at `fault` and `done`. Does no I/O. */
export class ResponseEventStream implements StreamReader {
  readonly #call: ResponseCall;
  readonly #splitter: SseSplitter;
  readonly #headers: Headers;
  #fault: Fault | undefined;
  #done = false;
  #delivered = false;
  #upstreamId: string | undefined;

  constructor(call: ResponseCall, options: StreamOptions) {
    this.#call = call;
    this.#headers = options.headers;
    this.#splitter = new SseSplitter({ maxEventBytes: options.maxEventBytes });
  }

  get fault(): Fault | undefined {
    return this.#fault;
  }

  get done(): boolean {
    return this.#done;
  }

  /** The event that ends a response is its last one. */
  get finished(): boolean {
    return this.#done;
  }

  get upstreamId(): string | undefined {
    return this.#upstreamId;
  }

  push(bytes: Uint8Array): StreamEvent[] {
    const events: StreamEvent[] = [];
    if (this.#fault || this.#done) return events;
    try {
      for (const payload of this.#splitter.push(bytes)) {
        this.#read(payload, events);
        if (this.#done) break;
      }
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown;
      this.#fault = thrown;
    }
    return events;
  }

  end(): StreamEvent[] {
    if (this.#fault || this.#done) return [];
    const broken = "The upstream provider ended its answer before it was complete.";
    this.#fault = new Fault("bad_gateway", broken);
    return [];
  }

  #read(payload: string, events: StreamEvent[]): void {
    if (payload.trim() === "[DONE]") return;
    const source = parseObject(payload);
    if (!source) {
      throw new Fault("bad_gateway", "The upstream provider sent an event that is not JSON.");
    }
    const name = readText(source.type);
    const { response } = source;
    if (name === "error" || name === "response.failed") throw this.#failure(source);
    if (isErrorBody(source)) throw this.#failure(source);
    if (name === undefined) return;
    if (isObject(response)) this.#readResponse(name, source, response, events);
    else this.#readDelta(name, payload, source, events);
  }

  #readResponse(
    name: string,
    source: JsonObject,
    response: JsonObject,
    events: StreamEvent[],
  ): void {
    this.#upstreamId ??= readText(response.id);
    const json = JSON.stringify({ ...source, response: presentOwn(response, this.#call) });
    events.push({ kind: "chunk", json, name, tokens: 0 });
    if (!endings.has(name)) return;
    const usage = readResponseUsage(response, this.#call.provider);
    if (usage !== undefined) events.push({ kind: "usage", usage });
    events.push({ kind: "finish", ...readFinish(response) }, { kind: "done" });
    this.#done = true;
  }

  #readDelta(name: string, payload: string, source: JsonObject, events: StreamEvent[]): void {
    const text = name.endsWith(".delta") ? (readText(source.delta) ?? "") : "";
    const tokens = countDelta(text, this.#call.provider.quirks.tokensPerDelta);
    this.#delivered ||= tokens > 0;
    // One line: a payload of several would be several lines of one event.
    const json = payload.includes("\n") ? JSON.stringify(source) : payload;
    events.push({ kind: "chunk", json, name, tokens });
  }

  /** An error inside a stream keeps its own status only while nothing has been delivered. */
  #failure(source: JsonObject): Fault {
    const inner = isObject(source.response) ? source.response : source;
    const told = isErrorBody(inner) ? inner : { error: inner };
    const fault = refusedInside(told, this.#call.provider, this.#headers);
    if (!this.#delivered || fault.code === "bad_gateway") return fault;
    return new Fault("bad_gateway", fault.message, { cause: fault });
  }
}
