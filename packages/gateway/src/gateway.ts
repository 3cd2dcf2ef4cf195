// What the gateway needs from its process, and the terms of one call. Nothing here is ambient: a test
// builds its own `Gateway` and calls the functions of this package with it.
import type { AccountId, ApiKeyId, Failpoint, GenerationId, PersonId } from "@turnpike/base";
import type { CatalogInForce } from "@turnpike/catalog";
import type { Guardrails, PromptStorage, RateLimits, SharedLimits } from "@turnpike/keys";
import type { CallFacts, FreeCallLog, Ledger } from "@turnpike/ledger";
import { largeLimits, streamLimits, type UpstreamLimits, wholeLimits } from "@turnpike/providers";
import type { CallTrace, Log, Metrics } from "@turnpike/telemetry";
import type { Operation, Origin } from "@turnpike/terms";
import type { ErrorFormat, ParsedRequest, Protocol, UploadedForm } from "@turnpike/wire";
import type { BodySlot } from "./admission/body-slot.ts";
import type { LoadShedder } from "./admission/shed-load.ts";
import type { BackgroundCalls } from "./ending/background-calls.ts";
import type { CountBudget } from "./estimate/count-budget.ts";
import type { Admission, RateLimiter } from "./rates/limit-rates.ts";
import type { RetryBudget } from "./routing/retry-budget.ts";
import type { RouteHealthBook } from "./routing/route-health.ts";
import type { StatusTally } from "./routing/status-tally.ts";

export type GatewayTimes = {
  /** A stream is committed with a comment if nothing came by then. */
  readonly commitStreamMs: number;
  /**
   * An answer that has not begun by then is given up if another route may be tried, unless the catalog says
   * otherwise of its route or the model reasons. Two of them fit into the minute that many clients wait.
   */
  readonly giveUpStreamMs: number;
  /**
   * The same for a whole answer, which begins when it is complete: only if the route has answered nobody meanwhile, and
   * not before twice as long as the longest of the model lately.
   */
  readonly giveUpWholeMs: number;
  /** Between comments on a silent stream. */
  readonly keepAliveMs: number;
  /**
   * The next attempt of a call is made at a random moment within this time, not in step with all
   * others.
   */
  readonly retryJitterMs: number;
  /** How long the end of an answer waits for its charge to be durable. */
  readonly settleWaitMs: number;
};

export const gatewayTimes: GatewayTimes = {
  commitStreamMs: 10_000,
  giveUpStreamMs: 25_000,
  giveUpWholeMs: 30_000,
  keepAliveMs: 15_000,
  retryJitterMs: 100,
  settleWaitMs: 30_000,
};

export type GatewayLimits = {
  readonly stream: UpstreamLimits;
  readonly whole: UpstreamLimits;
  readonly large: UpstreamLimits;
};

export const gatewayLimits: GatewayLimits = {
  stream: streamLimits,
  whole: wholeLimits,
  large: largeLimits,
};

export type Gateway = {
  readonly catalog: CatalogInForce;
  readonly ledger: Pick<Ledger, "hold" | "charge">;
  readonly freeCalls: Pick<FreeCallLog, "record">;
  readonly limiter: RateLimiter;
  /** For counting tokens that nobody pays for. */
  readonly countBudget: CountBudget;
  readonly routeHealth: RouteHealthBook;
  /** What the public status is made from. */
  readonly status: StatusTally;
  readonly retryBudget: RetryBudget;
  readonly load: Pick<LoadShedder, "reasonToShed" | "enter">;
  /** Calls whose client disconnected and whose upstream continues. */
  readonly background: BackgroundCalls;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly times: GatewayTimes;
  /** How long an upstream may be silent, and how much it may send. */
  readonly limits: GatewayLimits;
  readonly allowPrivateUpstreams: boolean;
  readonly failpoint: Failpoint;
  readonly endSignal: EndSignal;
};

/**
 * Aborted when running answers must end: the drain deadline passed, or the heartbeat lapsed. Answers that
 * begin later get a signal of their own.
 */
export type EndSignal = { readonly current: AbortSignal };

/** Who pays for a call, and within which limits. */
export type Principal = {
  readonly accountId: AccountId;
  /** Null for the playground. */
  readonly keyId: ApiKeyId | null;
  /** Who uses the playground. */
  readonly personId?: PersonId;
  readonly limits: RateLimits;
  /** The limits of its project and its account. */
  readonly shared?: SharedLimits;
  /** Absent if no rule applies. */
  readonly guardrails?: Guardrails | undefined;
  readonly origin: Origin;
  /** Undefined, nearly always: neither prompts nor answers are stored. */
  readonly prompts?: PromptStorage | undefined;
  /** How long responses are stored that do not refuse it. Undefined, nearly always: only those that ask for it are. */
  readonly responseHours?: number | undefined;
};

/** A call as soon as the head of its request was read. */
export type IncomingCall = {
  readonly operation: Operation;
  /** How its refusals are written. */
  readonly errors: ErrorFormat;
  readonly generationId: GenerationId;
  /** `req_…`. */
  readonly requestId: string;
  /** What its head says of its row in Logs. */
  readonly head: Partial<CallFacts>;
  readonly record: CallRecord;
  /** `performance.now()` when that was read: all times of a call begin here, before its body is read. */
  readonly receivedAtMs: number;
  /** Only of a call that is traced. */
  readonly trace?: CallTrace | undefined;
};

/** A call whose caller is known. */
export type AuthenticatedCall = IncomingCall & {
  readonly principal: Principal;
  readonly facts: CallFacts;
};

/** A call whose body is read. */
export type Call<Request extends ParsedRequest> = AuthenticatedCall & {
  readonly protocol: Protocol<Request>;
  /** Of a form: its fields, and the digests of its files. */
  readonly text: string;
  /** Of a call that sends files. */
  readonly form?: UploadedForm | undefined;
  /** Where its body and its answer are counted. */
  readonly slot?: Pick<BodySlot, "countParsed" | "countAnswer">;
  readonly headers: Headers;
  /** Aborts when the caller hangs up. */
  readonly signal: AbortSignal;
  /** Called once its money is held: what refuses a call before that has refused it by then. */
  readonly onHeld?: () => void;
  /**
   * Stores the items of an answer before its caller can refer to them; `answer` is whole, or ends a stream.
   * Resolves with what to send instead. Never rejects.
   */
  readonly persistItems?: (answer: string) => Promise<string>;
};

export type Answer = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | ReadableStream<Uint8Array>;
  /** Of a stream: resolves when the client has everything it will get, or has disconnected. */
  readonly sent: Promise<void> | undefined;
  /** Of a stream: how it ended, once its bill is known. Never rejects. */
  readonly ended?: Promise<StreamEnding>;
};

/**
 * `broken` and `broken_charged` ended with an error event; only the latter costs something. `undelivered`:
 * charged, but not returned as complete; its client disconnected, or its charge is still queued.
 */
export type StreamEnding = "whole" | "broken" | "broken_charged" | "undelivered";

/** What is known of a call so far: each stage adds what it learns, and whatever ends the call reads it here. */
export class CallRecord {
  /** Its row in Logs, once its caller is known: nobody else could read it. */
  facts: CallFacts | undefined;
  /** How long authentication took, once it is over. */
  authMs: number | undefined;
  /** What it was granted of the rates of its key. */
  admission: Admission | undefined;
  /** How it ended is recorded, or will be when it is charged. */
  isRecorded = false;
}
