// How one route is doing: a circuit breaker, the calls that run on it, and how fast it has been. A route that
// keeps failing is left alone for a while and then tried with a single call; everything is counted in the
// memory of this process, and nothing here is allocated per call.

export type RouteLimits = {
  /** The breaker opens at this share of failures among the calls of the window. */
  readonly failureShare: number;
  readonly leastCalls: number;
  /** Or at so many failed connections in a row. */
  readonly connectFailures: number;
  /** How long it stays open, doubled by each trial call that fails. */
  readonly openMs: number;
  readonly openMaxMs: number;
  /** At so many refusals of our credentials in a row other routes come first: those do not heal by themselves. */
  readonly credentialRefusals: number;
  /** How long they do, until it is tried again. */
  readonly credentialsPauseMs: number;
  /** Calls at once on a route whose catalogue entry says nothing else. */
  readonly maxConcurrent: number;
};

export const routeLimits: RouteLimits = {
  failureShare: 0.5,
  leastCalls: 20,
  connectFailures: 5,
  openMs: 15_000,
  openMaxMs: 120_000,
  credentialRefusals: 3,
  credentialsPauseMs: 120_000,
  maxConcurrent: 2_000,
};

const windowMs = 30_000;

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
const bucketMs = windowMs / bucketCount;
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

  isFailing({ leastCalls, failureShare }: RouteLimits, nowMs: number): boolean {
    const oldest = Math.floor(nowMs / bucketMs) - bucketCount + 1;
    let calls = 0;
    let failures = 0;
    for (let index = 0; index < bucketCount; index += 1) {
      if ((this.#epochs[index] ?? -1) < oldest) continue;
      calls += this.#calls[index] ?? 0;
      failures += this.#failures[index] ?? 0;
    }
    return calls >= leastCalls && failures >= calls * failureShare;
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
  readonly #limits: RouteLimits;
  /** `performance.now()` until which the breaker is open; undefined while it is closed. */
  #openUntilMs: number | undefined;
  #nextOpenMs: number;
  #isTrying = false;
  #connectFailures = 0;
  #credentialRefusals = 0;
  #running = 0;
  /** Until then other routes are tried before it: it asked for a pause, or its name did not resolve. */
  #pausedUntilMs = 0;
  maxConcurrent: number;
  #hasAnswered = false;
  #firstByteMs: number | undefined;
  #tokensPerSecond: number | undefined;

  /** `onChange` is called when the breaker opens or closes, and when credentials are refused or taken. */
  constructor(
    names: { readonly provider: string; readonly upstreamModel: string },
    onChange: (health: RouteHealth) => void = () => undefined,
    limits: RouteLimits = routeLimits,
  ) {
    this.#limits = limits;
    this.#nextOpenMs = limits.openMs;
    this.maxConcurrent = limits.maxConcurrent;
    this.provider = names.provider;
    this.upstreamModel = names.upstreamModel;
    this.#onChange = onChange;
  }

  get isOpen(): boolean {
    return this.#openUntilMs !== undefined;
  }

  /** Whether the provider refused our credentials so often that somebody has to look. */
  get credentialsRefused(): boolean {
    return this.#credentialRefusals >= this.#limits.credentialRefusals;
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
    return this.#running >= this.maxConcurrent ? "full" : undefined;
  }

  /** Nothing speaks against the next call. */
  isReady(nowMs: number): boolean {
    return this.reasonToSkip(nowMs) === undefined && !this.isPaused(nowMs);
  }

  isPaused(nowMs: number): boolean {
    return nowMs < this.#pausedUntilMs;
  }

  /** It answers again after `ms`, by its own word. */
  pause(ms: number, nowMs: number): void {
    this.#pausedUntilMs = nowMs + ms;
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
    if (this.#credentialRefusals > 0) this.#acceptCredentials();
    if (firstByteMs !== undefined) this.#firstByteMs = average(this.#firstByteMs, firstByteMs);
    if (this.#openUntilMs === undefined) this.#window.count(false, nowMs);
    else this.#close();
  }

  failed(failure: RouteFailure, nowMs: number, wasTrial: boolean): void {
    this.#connectFailures = failure === "connect" ? this.#connectFailures + 1 : 0;
    if (failure === "credentials") this.#refuseCredentials(nowMs);
    if (this.#openUntilMs !== undefined) {
      // Calls that began before it opened say nothing new.
      if (wasTrial) this.#open(nowMs);
      return;
    }
    this.#window.count(true, nowMs);
    const isBroken =
      this.#connectFailures >= this.#limits.connectFailures ||
      this.#window.isFailing(this.#limits, nowMs);
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
    if (saved.credentialsRefused) {
      this.#credentialRefusals = this.#limits.credentialRefusals;
      this.pause(this.#limits.credentialsPauseMs, nowMs);
    }
    if (!isOpen) return;
    this.#openUntilMs = nowMs + saved.openForMs;
    this.#nextOpenMs = saved.nextOpenMs;
  }

  #refuseCredentials(nowMs: number): void {
    this.#credentialRefusals += 1;
    if (!this.credentialsRefused) return;
    this.pause(this.#limits.credentialsPauseMs, nowMs);
    if (this.#credentialRefusals === this.#limits.credentialRefusals) this.#onChange(this);
  }

  #acceptCredentials(): void {
    const wereRefused = this.credentialsRefused;
    this.#credentialRefusals = 0;
    if (!wereRefused) return;
    this.#pausedUntilMs = 0;
    this.#onChange(this);
  }

  #open(nowMs: number): void {
    this.#openUntilMs = nowMs + this.#nextOpenMs;
    this.#nextOpenMs = Math.min(this.#nextOpenMs * 2, this.#limits.openMaxMs);
    this.#onChange(this);
  }

  #close(): void {
    this.#openUntilMs = undefined;
    this.#nextOpenMs = this.#limits.openMs;
    this.#isTrying = false;
    this.#window.clear();
    this.#onChange(this);
  }
}

function average(known: number | undefined, newest: number): number {
  return known === undefined ? newest : known + (newest - known) * newestShare;
}
