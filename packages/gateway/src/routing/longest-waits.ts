// How long whole answers of a model lately took to come, whatever route gave them: a model that writes for a minute is not
// silent, and would only be asked and paid twice if its calls were given up earlier.

/** Of what is remembered of a model. */
const hourMs = 3_600_000;

export class LongestWaits {
  readonly #byModel = new Map<string, { readonly waitMs: number; readonly atMs: number }>();

  note(modelId: string, waitMs: number, nowMs: number): void {
    if (waitMs >= this.of(modelId, nowMs)) this.#byModel.set(modelId, { waitMs, atMs: nowMs });
  }

  /** In the last hour; 0 where nothing was noted. */
  of(modelId: string, nowMs: number): number {
    const longest = this.#byModel.get(modelId);
    return longest === undefined || nowMs - longest.atMs > hourMs ? 0 : longest.waitMs;
  }
}
