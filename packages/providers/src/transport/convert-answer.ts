// One body that answers a request for a stream, and a stream that answers one for a body: read as typed deltas, which
// the caller's protocol writes in the form it asked for. Usage and tokens are those of the answer as it was sent.
import { Fault } from "@turnpike/base";
import { type DeltaEvent, type ParsedRequest, responsesLanguage } from "@turnpike/wire";
import { asTranslated } from "../dialects/as-translated.ts";
import { translatedResponsesDialect } from "../dialects/openai-responses/translated-dialect.ts";
import type {
  Dialect,
  StreamAnswer,
  StreamEvent,
  StreamOptions,
  UpstreamAnswer,
  UpstreamCall,
  UpstreamLimits,
  WholeAnswer,
} from "../provider.ts";
import { unreadable } from "../refusals/refuse.ts";
import type { ReadBody } from "./read-body.ts";

const encoder = new TextEncoder();

type Read<Request extends ParsedRequest> = UpstreamCall<Request> & {
  readonly limits: Pick<UpstreamLimits, "maxEventBytes">;
};

/** A body in the form that was asked for, or in the other one. Throws the Fault of an error or of what is unreadable. */
export function readAnswer<Request extends ParsedRequest>(
  dialect: Dialect<Request>,
  call: Read<Request>,
  headers: Headers,
  { complete, scanned, text }: ReadBody,
): UpstreamAnswer {
  if (!complete) {
    throw new Fault("bad_gateway", "The upstream provider's answer is too large.");
  }
  if (scanned) return dialect.readUnread(call, scanned.members, headers);
  if (call.request.stream) return streamOfWhole(dialect, call, text, headers);
  if (!looksStreamed(text)) return dialect.readWhole(call, text, headers);
  return wholeOfStream(dialect, call, text, { maxEventBytes: call.limits.maxEventBytes, headers });
}

/** Servers that do not stream answer at once; what they send has the form of a whole answer. */
function streamOfWhole<Request extends ParsedRequest>(
  dialect: Dialect<Request>,
  call: UpstreamCall<Request>,
  text: string,
  headers: Headers,
): StreamAnswer {
  const whole = readerOf(dialect).readWhole(asTranslated(call), text, headers);
  if (whole.content.kind !== "deltas" || whole.finish === null) throw unreadable();
  const { content, usage, finish, deliveredTokens: tokens, deliveredAudioTokens } = whole;
  const audio = deliveredAudioTokens === undefined ? {} : { audioTokens: deliveredAudioTokens };
  const events: StreamEvent[] = [
    { kind: "deltas", deltas: content.deltas, tokens, ...audio },
    ...(usage === undefined ? [] : [{ kind: "usage", usage } as const]),
    { kind: "finish", ...finish },
    { kind: "done" },
  ];
  return { kind: "stream", upstreamId: whole.upstreamId, events: once(events) };
}

/** Whether a body is a stream, whatever its content type says. */
function looksStreamed(text: string): boolean {
  return /^\s*(?:data|event|id|retry)?:/.test(text);
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
  const events = reader.push(encoder.encode(text));
  events.push(...reader.end());
  if (reader.fault !== undefined) throw reader.fault;
  const deltas: DeltaEvent[] = [];
  let tokens = 0;
  let audioTokens = 0;
  let usage: WholeAnswer["usage"];
  let finish: WholeAnswer["finish"] = null;
  for (const event of events) {
    if (event.kind === "deltas") deltas.push(...event.deltas);
    if (event.kind === "usage") ({ usage } = event);
    if (event.kind === "finish") finish = { reason: event.reason, native: event.native };
    if ("tokens" in event) tokens += event.tokens;
    if (event.kind === "deltas") audioTokens += event.audioTokens ?? 0;
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

async function* once(events: StreamEvent[]): AsyncIterableIterator<StreamEvent[]> {
  yield events;
}
