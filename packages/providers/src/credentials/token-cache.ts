// One access token, obtained when it is first needed and renewed before it expires. Calls that need it at the
// same time wait for one request; a token that is still valid is used while the next one is obtained.
// However many calls there are, a failing token endpoint is rarely called.

import { Fault } from "@turnpike/base";

export type Token = { readonly text: string; readonly lifetimeMs: number };

/** A token is renewed when this much of its lifetime is left, or half of it if that is less. */
const renewedBeforeMs = 5 * 60_000;
/** It may expire on its way to the provider. */
const spareMs = 10_000;
/** Between two attempts to renew a token that is still valid. */
const retryMs = 10_000;
/**
 * How long a failure is returned to all calls: if the endpoint refuses the credential, and for any
 * other failure.
 */
const refusalKeptMs = 30_000;
const failureKeptMs = 2_000;
/** If the provider refuses the next token this soon after another, a further one would not help. */
const replacedEveryMs = 10_000;

type Failure = { readonly thrown: unknown; readonly untilMs: number };

export class TokenCache {
  readonly #request: () => Promise<Token>;
  readonly #now: () => number;
  #text: string | undefined;
  #forgottenAtMs = Number.NEGATIVE_INFINITY;
  #renewedAtMs = 0;
  #expiresAtMs = 0;
  #pending: Promise<string> | undefined;
  #failure: Failure | undefined;

  /** `now` reads a monotonic clock, in milliseconds. */
  constructor(request: () => Promise<Token>, now: () => number = () => performance.now()) {
    this.#request = request;
    this.#now = now;
  }

  /** Rejects as the request for the token does, and for some time afterwards without another request. */
  async read(): Promise<string> {
    const nowMs = this.#now();
    if (this.#text === undefined || nowMs >= this.#expiresAtMs) {
      if (this.#failure !== undefined && nowMs < this.#failure.untilMs) throw this.#failure.thrown;
      return this.#renew();
    }
    if (nowMs >= this.#renewedAtMs) {
      this.#renewedAtMs = nowMs + retryMs;
      // The old token is still valid, so a failed renewal is not an error yet.
      this.#renew().catch(() => undefined);
    }
    return this.#text;
  }

  /**
   * The provider refused it. True if another can be read: one obtained since then, or one to be
   * requested.
   */
  forget(text: string): boolean {
    if (this.#text !== text) return true;
    const nowMs = this.#now();
    if (nowMs - this.#forgottenAtMs < replacedEveryMs) return false;
    this.#forgottenAtMs = nowMs;
    this.#text = undefined;
    return true;
  }

  #renew(): Promise<string> {
    this.#pending ??= this.#obtain().finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #obtain(): Promise<string> {
    const askedAtMs = this.#now();
    try {
      const { text, lifetimeMs } = await this.#request();
      this.#failure = undefined;
      this.#text = text;
      this.#renewedAtMs = askedAtMs + lifetimeMs - Math.min(renewedBeforeMs, lifetimeMs / 2);
      this.#expiresAtMs = askedAtMs + lifetimeMs - Math.min(spareMs, lifetimeMs / 10);
      return text;
    } catch (thrown) {
      const keptMs = isRefusal(thrown) ? refusalKeptMs : failureKeptMs;
      this.#failure = { thrown, untilMs: this.#now() + keptMs };
      throw thrown;
    }
  }
}

function isRefusal(thrown: unknown): boolean {
  return thrown instanceof Fault && thrown.details.upstreamStatus === 401;
}
