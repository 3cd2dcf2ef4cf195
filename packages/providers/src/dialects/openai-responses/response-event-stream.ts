// Reads the bytes of an upstream's response stream: where it ends, what it used, and how it fails. What its
// events become depends on the language of the caller and is given to it.
import { Fault, isObject, type JsonObject, parseObject, readText } from "@turnpike/base";
import { SseSplitter } from "@turnpike/wire";
import type { StreamEvent, StreamOptions, StreamReader } from "../../provider.ts";
import { brokenOff, refusedInside } from "../../refusals/refuse.ts";
import type { ChatCall } from "../openai/ask.ts";
import { isErrorBody } from "../openai/read-content.ts";
import { isEnded, readFinish, readResponseUsage } from "./read-response.ts";

/** One event: its type, its object, and its text. */
export type ResponseEvent = {
  readonly name: string;
  readonly source: JsonObject;
  readonly payload: string;
};

/** What events become for one caller. Throws a Fault for those that cannot follow the earlier ones. */
export type EventReader = {
  read(event: ResponseEvent): StreamEvent[];
  /** The last event, whose `response` is complete. */
  readEnd(event: ResponseEvent, response: JsonObject): StreamEvent[];
  /** A refusal of the upstream, in the caller's words. */
  explain(fault: Fault): Fault;
};

const endings = new Set(["response.completed", "response.incomplete"]);

/** One answer's stream: feed it bytes, then look at `fault` and `done`. Does no I/O. */
export class ResponseEventStream implements StreamReader {
  readonly #call: ChatCall;
  readonly #reader: EventReader;
  readonly #splitter: SseSplitter;
  readonly #headers: Headers;
  #fault: Fault | undefined;
  #done = false;
  #delivered = false;
  #upstreamId: string | undefined;

  constructor(call: ChatCall, reader: EventReader, options: StreamOptions) {
    this.#call = call;
    this.#reader = reader;
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
    if (isObject(response) && !(name !== undefined && endings.has(name))) {
      const usage = readResponseUsage(response, this.#call);
      if (usage !== undefined) events.push({ kind: "early_usage", usage });
    }
    if (name === "error" || name === "response.failed") throw this.#failure(source);
    if (isErrorBody(source)) throw this.#failure(source);
    if (name === undefined) return;
    if (isObject(response)) this.#upstreamId ??= readText(response.id);
    const event = { name, source, payload };
    if (endings.has(name)) this.#readEnd(event, events);
    else this.#add(this.#reader.read(event), events);
  }

  #readEnd(event: ResponseEvent, events: StreamEvent[]): void {
    const { response } = event.source;
    // Without the response nothing says what was written and why it ended.
    if (!isObject(response)) throw brokenOff();
    if (isErrorBody(response)) throw this.#failure(event.source);
    if (!isEnded(response)) throw brokenOff();
    this.#add(this.#reader.readEnd(event, response), events);
    const usage = readResponseUsage(response, this.#call);
    if (usage !== undefined) events.push({ kind: "usage", usage });
    if (!events.some(({ kind }) => kind === "finish")) {
      events.push({ kind: "finish", ...readFinish(response) });
    }
    events.push({ kind: "done" });
    this.#done = true;
  }

  #add(read: readonly StreamEvent[], events: StreamEvent[]): void {
    for (const event of read) {
      events.push(event);
      if ("tokens" in event && event.tokens > 0) this.#delivered = true;
    }
  }

  /** An error inside a stream keeps its own status only while nothing has been delivered. */
  #failure(source: JsonObject): Fault {
    const inner = isObject(source.response) ? source.response : source;
    const told = isErrorBody(inner) ? inner : { error: inner };
    const fault = refusedInside(told, this.#call.provider, this.#headers);
    if (!this.#delivered || fault.code === "bad_gateway") return this.#reader.explain(fault);
    return new Fault("bad_gateway", fault.message, { cause: fault });
  }
}
