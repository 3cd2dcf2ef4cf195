// Stop sequences that an upstream does not take, found in its answer instead: nothing behind one reaches the caller.
// The upstream is read to its end, because only then does it say what is billed.
import {
  type ChatRequest,
  chatLanguage,
  type DeltaEvent,
  geminiLanguage,
  messagesLanguage,
} from "@turnpike/wire";
import type {
  Dialect,
  Provider,
  StreamEvent,
  StreamReader,
  UpstreamCall,
  WholeAnswer,
} from "../provider.ts";
import { untranslatable } from "../untranslatable.ts";
import { asTranslated } from "./as-translated.ts";

/** Whether the upstream takes a stop sequence, by its text and its place in the list. */
export type TakesStop = (stop: string, index: number) => boolean;

/** More, or longer ones, would take too long to look for in each piece of an answer. */
const mostStops = 64;
const longestChars = 256;

const none: readonly string[] = [];

/** The stop sequences of a chat completion; an empty one would end every answer at its beginning. */
function stopsOf({ stop }: ChatRequest["parsed"]): readonly string[] {
  const all: readonly unknown[] = Array.isArray(stop) ? stop : [stop];
  return all.flatMap((one) => (typeof one === "string" && one !== "" ? [one] : []));
}

/** Those to send; undefined if there are none. */
export function stopsToSend(
  parsed: ChatRequest["parsed"],
  takes: TakesStop,
): readonly string[] | undefined {
  const sent = stopsOf(parsed).filter(takes);
  return sent.length === 0 ? undefined : sent;
}

/** `dialect`, whose answers end at the stop sequences that its upstream was not sent. */
export function cutAtStops<Called extends Provider>(
  dialect: Dialect<ChatRequest, Called>,
  takes: TakesStop,
): Dialect<ChatRequest, Called> {
  const { openStream } = dialect;
  // Most calls have none.
  const unsentOf = ({ parsed }: ChatRequest) =>
    (parsed.stop ?? null) === null
      ? none
      : stopsOf(parsed).filter((stop, index) => !takes(stop, index));
  return {
    ...dialect,
    whyUntranslatable(target, request) {
      const unsent = unsentOf(request);
      if (unsent === none) return dialect.whyUntranslatable?.(target, request);
      if (unsent.length > mostStops || unsent.some(({ length }) => length > longestChars)) {
        const param = request.language === messagesLanguage ? "stop_sequences" : "stop";
        const most = `at most ${mostStops} of ${longestChars} characters`;
        return untranslatable(param, `its provider takes fewer, and ${most} are looked for here`);
      }
      return dialect.whyUntranslatable?.(target, request);
    },
    ...(openStream && {
      openStream(call, options) {
        const unsent = unsentOf(call.request);
        if (unsent.length === 0) return openStream(call, options);
        return new CutStream(openStream(readAsDeltas(call), options), unsent);
      },
    }),
    parseWhole(call, text, headers) {
      const unsent = unsentOf(call.request);
      if (unsent.length === 0) return dialect.parseWhole(call, text, headers);
      return cutWhole(dialect.parseWhole(readAsDeltas(call), text, headers), unsent);
    },
  };
}

/** What is relayed as it was sent could not be cut. Claude is sent all of them by callers of its own language. */
function readAsDeltas<Call extends UpstreamCall<ChatRequest>>(call: Call): Call {
  const { language } = call.request;
  return language === chatLanguage || language === geminiLanguage ? asTranslated(call) : call;
}

function cutWhole(answer: WholeAnswer, stops: readonly string[]): WholeAnswer {
  const { content, finish } = answer;
  if (content.kind !== "deltas") return answer;
  const cutter = new StopCutter(stops);
  const deltas = cutter.cut(content.deltas);
  if (!cutter.hasCut || finish === null) return { ...answer, content: { ...content, deltas } };
  return { ...answer, content: { ...content, deltas }, finish: { ...finish, reason: "stop" } };
}

class CutStream implements StreamReader {
  readonly #reader: StreamReader;
  readonly #cutter: StopCutter;

  constructor(reader: StreamReader, stops: readonly string[]) {
    this.#reader = reader;
    this.#cutter = new StopCutter(stops);
  }

  push(bytes: Uint8Array): StreamEvent[] {
    return this.#reader.push(bytes).map((event) => this.#cut(event));
  }

  end(): StreamEvent[] {
    return this.#reader.end().map((event) => this.#cut(event));
  }

  get fault() {
    return this.#reader.fault;
  }

  get done() {
    return this.#reader.done;
  }

  get finished() {
    return this.#reader.finished;
  }

  get upstreamId() {
    return this.#reader.upstreamId;
  }

  #cut(event: StreamEvent): StreamEvent {
    if (event.kind === "deltas") return { ...event, deltas: this.#cutter.cut(event.deltas) };
    return event.kind === "finish" && this.#cutter.hasCut ? { ...event, reason: "stop" } : event;
  }
}

type Found = { readonly at: number; readonly stop: string };

type Choice = { held: string; stoppedBy: string | undefined };

/** Cuts the text of each choice; the beginning of what may be a stop sequence is held back. */
export class StopCutter {
  readonly #stops: readonly string[];
  readonly #choices = new Map<number, Choice>();
  hasCut = false;

  constructor(stops: readonly string[]) {
    this.#stops = stops;
  }

  cut(deltas: readonly DeltaEvent[]): DeltaEvent[] {
    const kept: DeltaEvent[] = [];
    for (const delta of deltas) {
      const choice = this.#choiceOf(delta.choice);
      if (delta.kind === "text") this.#cutText(choice, delta.choice, delta.text, kept);
      else if (choice.stoppedBy === undefined) kept.push(...release(choice, delta.choice), delta);
      else if (delta.kind === "finish") {
        kept.push({ ...delta, reason: "stop", stopSequence: choice.stoppedBy });
      }
    }
    return kept;
  }

  #choiceOf(index: number): Choice {
    let choice = this.#choices.get(index);
    if (choice === undefined) {
      choice = { held: "", stoppedBy: undefined };
      this.#choices.set(index, choice);
    }
    return choice;
  }

  #cutText(choice: Choice, index: number, added: string, kept: DeltaEvent[]): void {
    if (choice.stoppedBy !== undefined) return;
    const text = choice.held + added;
    const found = this.#findFirst(text);
    const end = found?.at ?? text.length - this.#heldChars(text);
    if (end > 0) kept.push({ kind: "text", choice: index, text: text.slice(0, end) });
    choice.held = found === undefined ? text.slice(end) : "";
    choice.stoppedBy = found?.stop;
    this.hasCut ||= found !== undefined;
  }

  /** The one that is complete first, as if the text arrived letter by letter; of several the longest. */
  #findFirst(text: string): Found | undefined {
    let first: Found | undefined;
    for (const stop of this.#stops) {
      const at = text.indexOf(stop);
      if (at === -1) continue;
      const end = at + stop.length;
      const firstEnd =
        first === undefined ? Number.POSITIVE_INFINITY : first.at + first.stop.length;
      if (end < firstEnd || (end === firstEnd && first !== undefined && at < first.at)) {
        first = { at, stop };
      }
    }
    return first;
  }

  /** How many characters at the end of `text` begin a stop sequence. */
  #heldChars(text: string): number {
    let most = 0;
    for (const stop of this.#stops) {
      for (let chars = Math.min(stop.length - 1, text.length); chars > most; chars -= 1) {
        if (text.endsWith(stop.slice(0, chars))) most = chars;
      }
    }
    return most;
  }
}

/** What was held back, now that something else than text follows. */
function release(choice: Choice, index: number): DeltaEvent[] {
  if (choice.held === "") return [];
  const text = choice.held;
  choice.held = "";
  return [{ kind: "text", choice: index, text }];
}
