// How an API writes its answers: what is the same for every API (waits, breaks, counts) is in
// send-answer.ts, and each API has its own file for its shapes.
import type { Step } from "./generate-deltas.ts";
import type { ChatBody } from "./parse-chat-body.ts";
import type { Script } from "./parse-script.ts";
import type { TokenCounts, UsageShape } from "./report-usage.ts";

/** One event of a stream. Its tokens and its usage count as delivered once it is sent whole. */
export type EventFrame = {
  readonly name?: string;
  readonly data: string;
  readonly tokens: number;
  /** The usage it reports, if any. */
  readonly usage?: unknown;
};

export type AnswerFormat = {
  /** What the scripted upstream needs to know about a request; `path` has its query. */
  readonly parseBody: (parsed: unknown, path: string) => ChatBody;
  readonly usage: UsageShape;
  readonly errorBody: (status: number, error: Script["error"]) => unknown;
  /** A stream that ends with an error. */
  readonly errorEvents: (error: Script["error"]) => readonly EventFrame[];
  readonly whole: (answer: WholeAnswer, usage: unknown) => unknown;
  readonly open: (stream: OpenStream) => EventWriter;
};

export type WholeAnswer = {
  readonly id: string;
  readonly chat: ChatBody;
  readonly script: Script;
  readonly steps: readonly Step[];
};

export type OpenStream = {
  readonly id: string;
  readonly chat: ChatBody;
  readonly script: Script;
};

/** Writes the events of one stream; `counts` is what has been generated so far. */
export type EventWriter = {
  step(step: Step, counts: TokenCounts): readonly EventFrame[];
  end(counts: TokenCounts): readonly EventFrame[];
};
