// What the scripted upstream needs to know about a request that is no chat: what it is answered with is decided by its
// operation, and when and where the answer breaks by the script, as for a chat.
import type { EventFrame } from "./answer-format.ts";
import type { Script } from "./parse-script.ts";

export type OperationRequest = {
  /** Without its query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly contentType: string;
  readonly body: Buffer;
  /** The address the client called, for answers that are addresses. */
  readonly origin: string;
};

export type OperationCall = {
  /** The body as JSON, or what a form says. */
  readonly parsed: unknown;
  readonly model: string;
  readonly isStream: boolean;
  /** A script may be in it. */
  readonly text: string;
  readonly promptTokens: number;
  readonly answer: (script: Script) => OperationAnswer;
};

export type OperationAnswer = {
  readonly type: string;
  /** One for an answer with a known length, otherwise those of a stream. */
  readonly body: string | Uint8Array | readonly Piece[];
  /** The usage that a whole answer reports. */
  readonly usage?: unknown;
};

/** A part of a stream; breaks are counted in those that are deltas. */
export type Piece = {
  readonly data: string | Uint8Array;
  readonly isDelta: boolean;
  readonly usage?: unknown;
};

/** Throws `Refusal`, or `SyntaxError` for what is no JSON. */
export type ParseOperation = (request: OperationRequest) => OperationCall | Promise<OperationCall>;

export function jsonAnswer(body: unknown, usage?: unknown): OperationAnswer {
  return { type: "application/json", body: JSON.stringify(body), usage };
}

export function eventAnswer(frames: readonly EventFrame[]): OperationAnswer {
  const pieces = frames.map(({ name, data, tokens, usage }) => ({
    data: `${name === undefined ? "" : `event: ${name}\n`}data: ${data}\n\n`,
    isDelta: tokens > 0,
    usage,
  }));
  return { type: "text/event-stream; charset=utf-8", body: pieces };
}

/** A quarter of a text's bytes, rounded up, as for prompts of chats. */
export function countTextTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}
