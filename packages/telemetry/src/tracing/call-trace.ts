// What the path of a call says to a trace. Absent, which costs nothing, for every call that is not sampled. No prompt, no
// answer and no key is ever part of a trace. All times are those of `performance.now()`.

/** One attempt at a provider. */
export type AttemptTrace = {
  /** The value of the header for the provider (W3C Trace Context). */
  readonly traceparent: string;
  /** The first token of a stream is there. */
  firstToken(): void;
  /** Only the first end counts; `error` is our own code of a failure. */
  end(error?: string): void;
};

export type CallPart = "authenticate" | "hold" | "charge";

export type EndedCall = {
  readonly status: number;
  /** One of our own terms, as in the metrics. */
  readonly outcome: string;
  readonly error?: string | undefined;
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  readonly promptTokens?: number | undefined;
  readonly completionTokens?: number | undefined;
  readonly finishReason?: string | undefined;
  readonly accountId?: string | undefined;
};

export type CallTrace = {
  /** A part of the call that is over. */
  part(name: CallPart, startedAtMs: number): void;
  attempt(provider: string, upstreamModel: string): AttemptTrace;
  end(ended: EndedCall): void;
};

export type StartedCall = {
  readonly operation: string;
  readonly requestId: string;
  readonly generationId: string;
  readonly receivedAtMs: number;
  /** The caller's header, whatever it contains. */
  readonly traceparent: string | null;
};

export type Tracing = {
  /** Undefined for a call that is not sampled. */
  start(call: StartedCall): CallTrace | undefined;
  /** Exports what ended so far; gives up after some seconds. */
  close(): Promise<void>;
};

export const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

export type TracingSettings = {
  /** The base of OTLP over HTTP: `/v1/traces` is appended. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly sampler: (typeof samplers)[number];
  /** Of traces, for the samplers by ratio. */
  readonly ratio: number;
};
