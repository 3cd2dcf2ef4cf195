// How one route is doing: a circuit breaker, the calls that run on it, and how fast it has been. A route that
// keeps failing is left alone for a while and then tried with a single call; everything is counted in the
// memory of this process, and nothing here is allocated per call.

export const routeLimits = {
  /** The breaker opens at this share of failures among the calls of the window. */
  failureShare: 0.5,
  leastCalls: 20,
  windowMs: 30_000,
  /** Or at so many failed connections in a row. */
  connectFailures: 5,
  /** Or at so many refusals of our credentials in a row: those do not heal by themselves. */
  credentialRefusals: 3,
  /** How long it stays open, doubled by each trial call that fails. */
  openMs: 15_000,
  openMaxMs: 120_000,
  /** Calls at once on one route. */
  concurrency: 2_000,
} as const;

/** Why an attempt failed: no connection, our credentials, or anything else the provider is to blame for. */
export type RouteFailure = "connect" | "credentials" | "upstream";

/** What a new process wants to know of a route; times are milliseconds until then. */
export type SavedHealth = {
  readonly openForMs: number;
  readonly nextOpenMs: number;
  readonly credentialsRefused: boolean;
  readonly firstByteMs: number | null;
  readonly tokensPerSecond: number | null;
};

const bucketCount = 6;
const bucketMs = routeLimits.windowMs / bucketCount;
/** Weight of the newest figure in the moving averages. */
const newestShare = 0.2;

/** Calls of the last 30 seconds by outcome, forgotten five seconds at a time. */
class Window {
  readonly #epochs = new Array<number>(bucketCount).fill(-1);
  readonly #calls = new Array<number>(bucketCount).fill(0);
  readonly #failures = new Array<number>(bucketCount).fill(0);

  count(failed: boolean, nowMs: number): void {
    const epoch = Math.floor(nowMs / bucketMs);
    const index = epoch % bucketCount;
    if (this.#epochs[index] !== epoch) {
      this.#epochs[index] = epoch;
      this.#calls[index] = 0;
      this.#failures[index] = 0;
    }
    this.#calls[index] = (this.#calls[index] ?? 0) + 1;
    if (failed) this.#failures[index] = (this.#failures[index] ?? 0) + 1;
  }

  isFailing(nowMs: number): boolean {
    const oldest = Math.floor(nowMs / bucketMs) - bucketCount + 1;
    let calls = 0;
    let failures = 0;
    for (let index = 0; index < bucketCount; index += 1) {
      if ((this.#epochs[index] ?? -1) < oldest) continue;
      calls += this.#calls[index] ?? 0;
      failures += this.#failures[index] ?? 0;
    }
    return calls >= routeLimits.leastCalls && failures >= calls * routeLimits.failureShare;
  }

  clear(): void {
    this.#epochs.fill(-1);
  }
}

export type Unavailable = "open" | "full";

export class RouteHealth {
  readonly provider: string;
  readonly upstreamModel: string;
  readonly #onChange: (health: RouteHealth) => void;
  readonly #window = new Window();
  /** `performance.now()` until which the breaker is open; undefined while it is closed. */
  #openUntilMs: number | undefined;
  #nextOpenMs: number = routeLimits.openMs;
  #isTrying = false;
  #connectFailures = 0;
  #credentialRefusals = 0;
  #running = 0;
  #hasAnswered = false;
  #firstByteMs: number | undefined;
  #tokensPerSecond: number | undefined;

  /** `onChange` is called when the breaker opens or closes. */
  constructor(
    names: { readonly provider: string; readonly upstreamModel: string },
    onChange: (health: RouteHealth) => void = () => undefined,
  ) {
    this.provider = names.provider;
    this.upstreamModel = names.upstreamModel;
    this.#onChange = onChange;
  }

  get isOpen(): boolean {
    return this.#openUntilMs !== undefined;
  }

  /** Whether the provider refused our credentials so often that somebody has to look. */
  get credentialsRefused(): boolean {
    return this.#credentialRefusals >= routeLimits.credentialRefusals;
  }

  get running(): number {
    return this.#running;
  }

  /** Whether it ever answered this process: only then a kept connection may have died of age. */
  get hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  /** Moving averages; undefined before the first answer. */
  get firstByteMs(): number | undefined {
    return this.#firstByteMs;
  }

  get tokensPerSecond(): number | undefined {
    return this.#tokensPerSecond;
  }

  /** Undefined where a call may be sent now. */
  reasonToSkip(nowMs: number): Unavailable | undefined {
    if (this.#openUntilMs !== undefined && (nowMs < this.#openUntilMs || this.#isTrying)) {
      return "open";
    }
    return this.#running >= routeLimits.concurrency ? "full" : undefined;
  }

  /** How long until a call may be sent, as far as that is known. */
  waitMs(nowMs: number): number {
    return Math.max(0, (this.#openUntilMs ?? nowMs) - nowMs);
  }

  /** One attempt begins: true for the trial call of an open breaker. Ask `reasonToSkip` first. */
  enter(): boolean {
    this.#running += 1;
    if (this.#openUntilMs === undefined) return false;
    this.#isTrying = true;
    return true;
  }

  /** The attempt is over, also where it ended without a verdict on the route. */
  leave(wasTrial: boolean): void {
    this.#running -= 1;
    if (wasTrial) this.#isTrying = false;
  }

  /** The provider answered, be it with a refusal of the request. */
  succeeded(nowMs: number, firstByteMs: number | undefined): void {
    this.#hasAnswered = true;
    this.#connectFailures = 0;
    this.#credentialRefusals = 0;
    if (firstByteMs !== undefined) this.#firstByteMs = average(this.#firstByteMs, firstByteMs);
    if (this.#openUntilMs === undefined) this.#window.count(false, nowMs);
    else this.#close();
  }

  failed(failure: RouteFailure, nowMs: number, wasTrial: boolean): void {
    this.#connectFailures = failure === "connect" ? this.#connectFailures + 1 : 0;
    if (failure === "credentials") this.#credentialRefusals += 1;
    if (this.#openUntilMs !== undefined) {
      // Calls that began before it opened say nothing new.
      if (wasTrial) this.#open(nowMs);
      return;
    }
    this.#window.count(true, nowMs);
    if (this.credentialsRefused) this.#nextOpenMs = routeLimits.openMaxMs;
    const isBroken =
      this.#connectFailures >= routeLimits.connectFailures ||
      this.credentialsRefused ||
      this.#window.isFailing(nowMs);
    if (isBroken) this.#open(nowMs);
  }

  /** How fast a complete answer was written. */
  measured(tokens: number, writingMs: number): void {
    if (tokens < 2 || writingMs <= 0) return;
    this.#tokensPerSecond = average(this.#tokensPerSecond, (tokens * 1_000) / writingMs);
  }

  save(nowMs: number): SavedHealth {
    return {
      openForMs: this.waitMs(nowMs),
      nextOpenMs: this.#nextOpenMs,
      credentialsRefused: this.credentialsRefused,
      firstByteMs: this.#firstByteMs ?? null,
      tokensPerSecond: this.#tokensPerSecond ?? null,
    };
  }

  /** What another process knew. One that was open and whose time has passed begins with a trial call. */
  restore(saved: SavedHealth, isOpen: boolean, nowMs: number): void {
    this.#firstByteMs = saved.firstByteMs ?? undefined;
    this.#tokensPerSecond = saved.tokensPerSecond ?? undefined;
    if (!isOpen) return;
    this.#openUntilMs = nowMs + saved.openForMs;
    this.#nextOpenMs = saved.nextOpenMs;
    if (saved.credentialsRefused) this.#credentialRefusals = routeLimits.credentialRefusals;
  }

  #open(nowMs: number): void {
    this.#openUntilMs = nowMs + this.#nextOpenMs;
    this.#nextOpenMs = Math.min(this.#nextOpenMs * 2, routeLimits.openMaxMs);
    this.#onChange(this);
  }

  #close(): void {
    this.#openUntilMs = undefined;
    this.#nextOpenMs = routeLimits.openMs;
    this.#isTrying = false;
    this.#window.clear();
    this.#onChange(this);
  }
}

function average(known: number | undefined, newest: number): number {
  return known === undefined ? newest : known + (newest - known) * newestShare;
}
