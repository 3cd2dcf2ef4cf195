// Reads the bytes of an upstream's response stream: where it ends, its usage, and how it fails. What its
// events become depends on the caller's language and is passed in.
import { type Fault, isObject, type JsonObject, parseObject, parseText } from "@turnpike/base";
import { isSseDone } from "@turnpike/wire";
import type { StreamEvent, StreamOptions } from "../../provider.ts";
import { hasError, meaningOfTyped } from "../../refusals/parse-error-body.ts";
import { afterDelivery, brokenOff, notJson, refusedInside } from "../../refusals/refuse.ts";
import type { ChatCall } from "../openai/build-request.ts";
import { PayloadStream } from "../payload-stream.ts";
import { isEnded, parseFinish, parseResponseUsage } from "./parse-response.ts";

/** One event: its type, its object, and its text. */
export type ResponseEvent = {
  readonly name: string;
  readonly source: JsonObject;
  readonly payload: string;
};

/** Adds what events become for one caller. Throws a Fault for those that cannot follow the earlier ones. */
export type EventReader = {
  read(name: string, source: JsonObject, payload: string, events: StreamEvent[]): void;
  /** The last event, whose `response` is complete. */
  readEnd(event: ResponseEvent, response: JsonObject, events: StreamEvent[]): void;
  /** A refusal of the upstream, in the caller's terms. */
  explain(fault: Fault): Fault;
};

const endings = new Set(["response.completed", "response.incomplete"]);

/** The event that ends a response is its last one. */
export class ResponseEventStream extends PayloadStream {
  readonly #call: ChatCall;
  readonly #reader: EventReader;
  readonly #headers: Headers;
  #delivered = false;

  constructor(call: ChatCall, reader: EventReader, options: StreamOptions) {
    super(options);
    this.#call = call;
    this.#reader = reader;
    this.#headers = options.headers;
  }

  protected read(payload: string, events: StreamEvent[], isNamedError: boolean): void {
    if (isSseDone(payload)) return;
    const source = parseObject(payload);
    if (!source) throw notJson();
    const name = parseText(source.type);
    const { response } = source;
    if (isObject(response) && !(name !== undefined && endings.has(name))) {
      const usage = parseResponseUsage(response, this.#call);
      if (usage !== undefined) events.push({ kind: "early_usage", usage });
    }
    if (name === "error" || name === "response.failed") throw this.refused(source);
    if (!this.isAnswer(source, meaningOfTyped(source, isNamedError))) return;
    if (name === undefined) return;
    if (isObject(response)) this.noteId(parseText(response.id));
    const before = events.length;
    if (endings.has(name)) this.#readEnd({ name, source, payload }, events);
    else this.#reader.read(name, source, payload, events);
    this.#noteDelivered(events, before);
  }

  #readEnd(event: ResponseEvent, events: StreamEvent[]): void {
    const { response } = event.source;
    // Without the response it is unknown what was written and why it ended.
    if (!isObject(response)) throw brokenOff();
    if (hasError(response)) throw this.refused(event.source);
    if (!isEnded(response)) throw brokenOff();
    this.#reader.readEnd(event, response, events);
    const usage = parseResponseUsage(response, this.#call);
    if (usage !== undefined) events.push({ kind: "usage", usage });
    if (!events.some(({ kind }) => kind === "finish")) {
      events.push({ kind: "finish", ...parseFinish(response) });
    }
    this.complete(events);
  }

  #noteDelivered(events: readonly StreamEvent[], from: number): void {
    for (let index = from; index < events.length; index += 1) {
      const event = events[index];
      if (event !== undefined && "tokens" in event && event.tokens > 0) this.#delivered = true;
    }
  }

  /** In the caller's words while it has a status of its own. */
  protected refused(source: JsonObject): Fault {
    const inner = isObject(source.response) ? source.response : source;
    const told = hasError(inner) ? inner : { error: inner };
    const fault = refusedInside(told, this.#call.provider, this.#headers);
    const shown = afterDelivery(fault, this.#delivered);
    return shown === fault ? this.#reader.explain(fault) : shown;
  }
}
