// What calls of this process met since it was last taken, by model and provider, for the public status. Nothing is
// allocated per call once a pair is known.
import type { FaultCode } from "@turnpike/base";
import { firstTokenBoundsMs } from "@turnpike/db";
import { SeriesTree } from "@turnpike/telemetry";

export type StatusCounts = {
  readonly model: string;
  /** Empty: calls of the model, whichever providers were tried. */
  readonly provider: string;
  readonly answered: number;
  readonly failed: number;
  readonly firstTokens: readonly number[];
};

/** Refusals of a request, which say nothing about the provider, and ends that were not its own. */
const saysNothing: ReadonlySet<FaultCode> = new Set(["client_closed_request", "shutting_down"]);
/** What a provider refuses it has answered. */
const isAnswer: ReadonlySet<FaultCode> = new Set([
  "upstream_rejected",
  "context_length_exceeded",
  "content_filter",
]);

/** Answered, failed, then the counts of `firstTokens`. */
const width = 2 + firstTokenBoundsMs.length + 1;
const anyProvider = "";

export class StatusTally {
  readonly #tree = new SeriesTree(() => new Float64Array(width));

  /** One attempt at a provider ended; undefined for one that succeeded. */
  countAttempt(model: string, provider: string, code: FaultCode | undefined): void {
    this.#count(model, provider, code);
  }

  /** A call ended, after all its attempts. */
  countCall(model: string, code: FaultCode | undefined): void {
    this.#count(model, anyProvider, code);
  }

  countFirstToken(model: string, provider: string, milliseconds: number): void {
    let index = 0;
    while (milliseconds > (firstTokenBoundsMs[index] ?? Number.POSITIVE_INFINITY)) index += 1;
    add(this.#tree.find(model, provider), 2 + index);
    add(this.#tree.find(model, anyProvider), 2 + index);
  }

  #count(model: string, provider: string, code: FaultCode | undefined): void {
    if (code !== undefined && saysNothing.has(code)) return;
    const failed = code !== undefined && !isAnswer.has(code);
    add(this.#tree.find(model, provider), failed ? 1 : 0);
  }

  /** What was counted since the last time; begins again at 0. */
  take(): readonly StatusCounts[] {
    return [...this.#tree.entries()].flatMap(([[model = "", provider = ""], series]) => {
      const [answered = 0, failed = 0, ...firstTokens] = series;
      if (series.every((count) => count === 0)) return [];
      series.fill(0);
      return [{ model, provider, answered, failed, firstTokens }];
    });
  }

  /** Counts again what was taken and could not be stored. */
  giveBack(counts: readonly StatusCounts[]): void {
    for (const { model, provider, answered, failed, firstTokens } of counts) {
      const series = this.#tree.find(model, provider);
      for (const [index, count] of [answered, failed, ...firstTokens].entries()) {
        series[index] = (series[index] ?? 0) + count;
      }
    }
  }
}

function add(series: Float64Array, index: number): void {
  series[index] = (series[index] ?? 0) + 1;
}
