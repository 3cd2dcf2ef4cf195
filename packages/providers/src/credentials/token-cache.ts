// One access token, obtained when it is first needed and renewed before it expires. Calls that need it at the
// same time wait for one request; a token that is still good is handed out while the next one is obtained.

export type Token = { readonly text: string; readonly lifetimeMs: number };

/** A token is renewed when this much of its lifetime is left, or half of it if that is less. */
const renewedBeforeMs = 5 * 60_000;
/** It may expire on its way to the provider. */
const spareMs = 10_000;
/** Between two attempts to renew a token that is still good. */
const retryMs = 10_000;

export class TokenCache {
  readonly #request: () => Promise<Token>;
  readonly #now: () => number;
  #text: string | undefined;
  #renewedAtMs = 0;
  #expiresAtMs = 0;
  #pending: Promise<string> | undefined;

  /** `now` reads a monotonic clock, in milliseconds. */
  constructor(request: () => Promise<Token>, now: () => number = () => performance.now()) {
    this.#request = request;
    this.#now = now;
  }

  /** Rejects as the request for the token does; the next call tries again. */
  async read(): Promise<string> {
    const nowMs = this.#now();
    if (this.#text === undefined || nowMs >= this.#expiresAtMs) return this.#renew();
    if (nowMs >= this.#renewedAtMs) {
      this.#renewedAtMs = nowMs + retryMs;
      // The old token is still valid, so a failed renewal is no error yet.
      this.#renew().catch(() => undefined);
    }
    return this.#text;
  }

  /** The provider refused it. One obtained since then is kept. */
  forget(text: string): void {
    if (this.#text === text) this.#text = undefined;
  }

  #renew(): Promise<string> {
    this.#pending ??= this.#obtain().finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #obtain(): Promise<string> {
    const askedAtMs = this.#now();
    const { text, lifetimeMs } = await this.#request();
    this.#text = text;
    this.#renewedAtMs = askedAtMs + lifetimeMs - Math.min(renewedBeforeMs, lifetimeMs / 2);
    this.#expiresAtMs = askedAtMs + lifetimeMs - Math.min(spareMs, lifetimeMs / 10);
    return text;
  }
}
