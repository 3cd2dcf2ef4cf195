// Turns the bytes of Gemini's stream into our events, however the network splits them. It has no end
// marker: it is complete once every candidate has said why it stopped.
import { type Fault, type JsonObject, parseObject } from "@turnpike/base";
import { isSseDone, setMembers } from "@turnpike/wire";
import type { StreamEvent, StreamOptions } from "../../provider.ts";
import { isErrorBody, meaningOf } from "../../refusals/parse-error-body.ts";
import { afterDelivery, notJson, refusedInside } from "../../refusals/refuse.ts";
import { PayloadStream } from "../payload-stream.ts";
import { RetainedBound } from "../retained-bound.ts";
import type { GeminiCall } from "./generation-config.ts";
import { countDeltas, parseResponse, ResponseMemory, readEnd } from "./parse-response.ts";
import { countWritten, nameAnswer, parseGeminiBody } from "./parse-whole.ts";
import { StrayText } from "./stray-text.ts";

/** One for all events that have none: an object for each would be a cell more. */
const noImages = {};

export class GeminiStream extends PayloadStream {
  readonly #call: GeminiCall;
  readonly #headers: Headers;
  readonly #memory: ResponseMemory;
  readonly #stray = new StrayText();
  readonly #retained = new RetainedBound();
  #delivered = false;
  #payloads = 0;

  constructor(call: GeminiCall, options: StreamOptions) {
    super(options);
    this.#call = call;
    this.#headers = options.headers;
    this.#memory = new ResponseMemory(call);
  }

  override get finished(): boolean {
    return this.#memory.finished;
  }

  override push(bytes: Uint8Array): StreamEvent[] {
    const before = this.#payloads;
    const events = super.push(bytes);
    this.#stray.push(bytes, this.#payloads > before);
    return events;
  }

  /** Between events Google writes an error as plain JSON, without the framing of an event. */
  protected override whyIncomplete(): Fault {
    const error = parseGeminiBody(this.#stray.text);
    const isError = error !== undefined && isErrorBody(error);
    return isError ? this.refused(error) : super.whyIncomplete();
  }

  protected override complete(events: StreamEvent[]): void {
    const { deltas, finishes } = readEnd(this.#memory);
    if (!this.#memory.isRelayed) {
      events.push({ kind: "deltas", deltas, tokens: countDeltas(deltas) });
    }
    for (const finish of finishes) events.push({ kind: "finish", ...finish });
    super.complete(events);
  }

  protected read(payload: string, events: StreamEvent[], isNamedError: boolean): void {
    this.#payloads += 1;
    // Compatible services end as OpenAI's streams do; the end of the connection is more reliable.
    if (isSseDone(payload)) return;
    const source = this.#memory.isRelayed ? parseObject(payload) : parseGeminiBody(payload);
    if (source === undefined) throw notJson();
    if (!this.isAnswer(source, meaningOf(source, isNamedError))) return;
    const before = this.#memory.images;
    const read = parseResponse(source, this.#memory);
    const count = this.#memory.images - before;
    const images = count === 0 ? noImages : { images: count };
    this.noteId(read.upstreamId);
    const { deltas, tokens } = this.#memory.isRelayed
      ? this.#relay(payload, source, images, events)
      : read;
    this.#retained.addDeltas(deltas, tokens);
    if (deltas.length > 0) events.push({ kind: "deltas", deltas, tokens, ...images });
    this.#delivered ||= tokens > 0 || count > 0;
    // Each response repeats the counts so far.
    if (read.usage === undefined) return;
    events.push({ kind: this.finished ? "usage" : "early_usage", usage: read.usage });
  }

  /** The response unchanged, except for its id and its model; its text counts, and nothing else of it is read. */
  #relay(
    payload: string,
    source: JsonObject,
    images: { readonly images?: number },
    events: StreamEvent[],
  ) {
    const tokens = countWritten(source);
    const json = singleLine(setMembers(payload, nameAnswer(this.#call)));
    events.push({ kind: "chunk", json, tokens, ...images });
    return { deltas: [], tokens };
  }

  protected refused(source: JsonObject): Fault {
    return afterDelivery(
      refusedInside(source, this.#call.provider, this.#headers),
      this.#delivered,
    );
  }
}

/** An event may be spread over lines; ours are one. */
function singleLine(json: string): string {
  return json.includes("\n") ? JSON.stringify(JSON.parse(json)) : json;
}
