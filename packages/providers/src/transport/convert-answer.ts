// One body that answers a request for a stream, and a stream that answers one for a body: read as typed deltas, which
// the caller's protocol writes in the form it asked for. Usage and tokens are those of the answer as it was sent.
import { Fault } from "@turnpike/base";
import { type DeltaEvent, type ParsedRequest, responsesLanguage } from "@turnpike/wire";
import { asTranslated } from "../dialects/as-translated.ts";
import { translatedResponsesDialect } from "../dialects/openai-responses/translated-dialect.ts";
import type {
  Dialect,
  StreamEvent,
  StreamOptions,
  StreamReader,
  UpstreamAnswer,
  UpstreamCall,
  WholeAnswer,
} from "../provider.ts";
import { unreadable } from "../refusals/refuse.ts";
import type { UpstreamLimits } from "../upstream-limits.ts";
import { beginsAsEvents, withoutDone } from "./body-form.ts";
import { keepWaits } from "./keep-waits.ts";
import type { ReadBody } from "./read-body.ts";
import type { StreamForms } from "./read-stream.ts";
import { eventsOfWhole } from "./whole-events.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

type Read<Request extends ParsedRequest> = UpstreamCall<Request> & {
  readonly limits: Pick<UpstreamLimits, "maxBodyBytes" | "maxEventBytes">;
};

function tooLarge(): Fault {
  return new Fault("bad_gateway", "The upstream provider's answer is too large.");
}

/** The body of an answer that was not to be streamed. Throws the Fault of an error or of what is unreadable. */
export function parseAnswer<Request extends ParsedRequest>(
  dialect: Dialect<Request>,
  call: Read<Request>,
  headers: Headers,
  { complete, scanned, text }: ReadBody,
): UpstreamAnswer {
  if (!complete) throw tooLarge();
  if (scanned) return dialect.parseUnread(call, scanned.members, headers);
  if (!beginsAsEvents(text)) return dialect.parseWhole(call, withoutDone(text), headers);
  return wholeOfStream(dialect, call, text, { maxEventBytes: call.limits.maxEventBytes, headers });
}

/** How an answer that was to be streamed may be read. */
export class AnswerForms<Request extends ParsedRequest> implements StreamForms {
  readonly #dialect: Dialect<Request>;
  readonly #call: Read<Request>;
  readonly #headers: Headers;
  readonly #isJson: boolean;
  readonly #isEventStream: boolean;

  /** Of the headers of the answer, only those are kept that are needed later. */
  constructor(dialect: Dialect<Request>, call: Read<Request>, headers: Headers) {
    this.#dialect = dialect;
    this.#call = call;
    this.#headers = keepWaits(headers);
    this.#isJson = isJsonType(headers);
    this.#isEventStream = isEventsType(headers);
  }

  get isBinary(): boolean {
    return this.#dialect.isBinary === true && !this.#isJson;
  }

  asEvents(): StreamReader {
    if (this.#dialect.isBinary === true && this.#isJson) return this.asWhole();
    const { maxEventBytes } = this.#call.limits;
    const isEventStream = this.#isEventStream;
    const options = { maxEventBytes, headers: this.#headers, isEventStream };
    return this.#dialect.openStream?.(this.#call, options) ?? this.asWhole();
  }

  asWhole(): StreamReader {
    return new WholeAsStream(this.#dialect, this.#call, this.#headers);
  }
}

/** Servers that do not stream answer at once: what they send is kept until its end, and has the form of a whole answer. */
class WholeAsStream<Request extends ParsedRequest> implements StreamReader {
  readonly #dialect: Dialect<Request>;
  readonly #call: Read<Request>;
  readonly #headers: Headers;
  readonly #reads: Uint8Array[] = [];
  #bytes = 0;
  fault: Fault | undefined;
  done = false;
  upstreamId: string | undefined;

  constructor(dialect: Dialect<Request>, call: Read<Request>, headers: Headers) {
    this.#dialect = dialect;
    this.#call = call;
    this.#headers = headers;
  }

  get finished(): boolean {
    return this.done;
  }

  push(bytes: Uint8Array): StreamEvent[] {
    this.#bytes += bytes.length;
    if (this.#bytes > this.#call.limits.maxBodyBytes) this.fault ??= tooLarge();
    else this.#reads.push(bytes);
    return [];
  }

  end(): StreamEvent[] {
    if (this.fault !== undefined || this.done) return [];
    try {
      const events = this.#read(decoder.decode(Buffer.concat(this.#reads)));
      this.done = true;
      return events;
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown;
      this.fault = thrown;
      return [];
    }
  }

  #read(text: string): StreamEvent[] {
    const reader = readerOf(this.#dialect);
    const whole = reader.parseWhole(asTranslated(this.#call), withoutDone(text), this.#headers);
    this.upstreamId = whole.upstreamId;
    return eventsOfWhole(whole, this.#call.request);
  }
}

/** Whether a body announces that it is one JSON. */
export function isJsonType(headers: Headers): boolean {
  return /^application\/json\b/i.test(headers.get("content-type") ?? "");
}

function isEventsType(headers: Headers): boolean {
  return /^text\/event-stream\b/i.test(headers.get("content-type") ?? "");
}

/** Some servers stream whatever is asked. Throws the Fault of a stream that broke off. */
function wholeOfStream<Request extends ParsedRequest>(
  dialect: Dialect<Request>,
  call: UpstreamCall<Request>,
  text: string,
  options: StreamOptions,
): WholeAnswer {
  const reader = readerOf(dialect).openStream?.(asTranslated(call), options);
  if (reader === undefined) throw unreadable();
  // The end of the body ends its last event as well.
  const events = reader.push(encoder.encode(`${text}\n\n`));
  events.push(...reader.end());
  if (reader.fault !== undefined) throw reader.fault;
  const deltas: DeltaEvent[] = [];
  let tokens = 0;
  let audioTokens = 0;
  let images = 0;
  let usage: WholeAnswer["usage"];
  let finish: WholeAnswer["finish"] = null;
  for (const event of events) {
    if (event.kind === "deltas") deltas.push(...event.deltas);
    if (event.kind === "usage") ({ usage } = event);
    if (event.kind === "finish") finish = { reason: event.reason, native: event.native };
    if ("tokens" in event) tokens += event.tokens;
    if (event.kind === "deltas") audioTokens += event.audioTokens ?? 0;
    if (event.kind === "deltas") images += event.images ?? 0;
  }
  if (!reader.done) throw new Fault("bad_gateway", "The upstream provider broke off its answer.");
  return {
    kind: "whole",
    upstreamId: reader.upstreamId,
    content: { kind: "deltas", deltas },
    usage,
    finish,
    deliveredTokens: tokens,
    ...(audioTokens > 0 && { deliveredAudioTokens: audioTokens }),
    ...(images > 0 && { deliveredImages: images }),
  };
}

/** Only the other dialect of `/responses` reads typed deltas of it. */
function readerOf<Request extends ParsedRequest>(dialect: Dialect<Request>): Dialect<Request> {
  return dialect.language === responsesLanguage ? asResponsesReader(dialect) : dialect;
}

/**
 * The cast is safe because only chats, whose requests are chat requests, reach a dialect of the language of
 * responses, and only providers of the kind that the other dialect has.
 */
function asResponsesReader<Request extends ParsedRequest>(_: Dialect<Request>): Dialect<Request> {
  return translatedResponsesDialect as unknown as Dialect<Request>;
}
