// What a recorded stream is: the bytes an upstream sent, and what they say. The contract test holds every
// dialect against its recordings.
import type { TokenUsage } from "@turnpike/wire";
import type { StreamReader } from "../provider.ts";

export type RecordedStream = {
  readonly name: string;
  /** The bytes of the body, as text. */
  readonly body: string;
  readonly says: Said;
};

/** What a complete stream amounts to, or the fault it ends in. */
export type Said = {
  readonly text?: string;
  readonly reasoning?: string;
  readonly signatures?: readonly string[];
  readonly encrypted?: readonly string[];
  /** Names and arguments. */
  readonly calls?: readonly (readonly [string, string])[];
  readonly finish?: string;
  readonly stopSequence?: string;
  readonly usage?: Partial<TokenUsage>;
  /** The code of the fault that ends it. */
  readonly fault?: string;
};

/** A dialect's recordings, and how it opens a stream for a caller of either kind. */
export type RecordedDialect = {
  readonly dialect: string;
  /** For a caller of another language. */
  readonly translated: () => StreamReader;
  /** For a caller of its own. */
  readonly own: () => StreamReader;
  readonly streams: readonly RecordedStream[];
};
