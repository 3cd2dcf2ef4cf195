// What the gateway needs from its process, and the words of one call. Nothing here is ambient: a
// test builds its own `Gateway` and calls the verbs with it.

import type { AccountId, ApiKeyId, Failpoint, GenerationId } from "@turnpike/base";
import type { Catalog } from "@turnpike/catalog";
import type { KeyLimits } from "@turnpike/keys";
import type { Hold, Ledger, RefusalLog } from "@turnpike/ledger";
import { streamLimits, type UpstreamLimits, wholeLimits } from "@turnpike/providers";
import type { Log, Metrics } from "@turnpike/telemetry";
import type { BackgroundCalls } from "./background-calls.ts";
import type { RateLimiter } from "./limit-rates.ts";
import type { LoadShedder } from "./shed-load.ts";

export type GatewayTimes = {
  /** A stream is committed with a comment when nothing came by then. */
  readonly commitStreamMs: number;
  /** Between comments on a silent stream. */
  readonly keepAliveMs: number;
  /** How long the end of an answer waits for its settlement to be durable. */
  readonly settleWaitMs: number;
};

export const gatewayTimes: GatewayTimes = {
  commitStreamMs: 10_000,
  keepAliveMs: 15_000,
  settleWaitMs: 30_000,
};

export type GatewayLimits = { readonly stream: UpstreamLimits; readonly whole: UpstreamLimits };

export const gatewayLimits: GatewayLimits = { stream: streamLimits, whole: wholeLimits };

export type Gateway = {
  /** The catalogue of this moment; a reload replaces it. */
  readonly catalog: () => Catalog;
  readonly ledger: Pick<Ledger, "hold" | "charge">;
  readonly refusals: Pick<RefusalLog, "record">;
  readonly limiter: RateLimiter;
  readonly load: Pick<LoadShedder, "reasonToShed" | "add">;
  /** Calls whose client left and whose upstream runs on. */
  readonly background: BackgroundCalls;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly times: GatewayTimes;
  /** How long an upstream may be silent, and how much it may say. */
  readonly limits: GatewayLimits;
  readonly allowPrivateUpstreams: boolean;
  readonly failpoint: Failpoint;
  /** Aborted when running answers must end: the drain deadline passed, or the heartbeat lapsed. */
  readonly endSignal: () => AbortSignal;
};

/** Who pays for a call, and within which limits. */
export type Spender = {
  readonly accountId: AccountId;
  /** Null for the playground. */
  readonly keyId: ApiKeyId | null;
  readonly limits: KeyLimits;
  readonly origin: "api" | "playground";
};

/** One call as a door hands it over. */
export type ChatCall = {
  readonly generationId: GenerationId;
  readonly requestId: string;
  readonly userAgent: string;
  /** Rejects with a Fault where the body is too large, or not text. */
  readonly readBody: () => Promise<string>;
  /** Aborts when the caller hangs up. */
  readonly signal: AbortSignal;
  /** `performance.now()` when the request line was read. */
  readonly receivedAtMs: number;
  readonly identify: () => Promise<Spender>;
};

export type ChatAnswer = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | ReadableStream<Uint8Array>;
};

/** Money reserved for a call, and the output limit that follows from it. */
export type Reservation = {
  readonly hold: Hold;
  /** What to tell the upstream; undefined leaves the caller's own limit, if any. */
  readonly maxTokens: number | undefined;
  /** The most output tokens the hold covers, over all choices. */
  readonly coveredTokens: number;
};
