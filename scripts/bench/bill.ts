// What the calls of a run must have cost, computed only from the prices: the other half of the
// verification is what the books say.
export const modelId = "bench/fixed";

/** The same model for each dialect of an upstream; `modelId` is that of the first. */
export const dialectModels = {
  openai: modelId,
  anthropic: "bench/fixed-anthropic",
  gemini: "bench/fixed-gemini",
  "openai-responses": "bench/fixed-responses",
} as const;

export type DialectName = keyof typeof dialectModels;

/** USD 0.15 and 0.60 per million tokens. */
export const inputNanosPerToken = 150n;
export const outputNanosPerToken = 600n;

/** What the fixed upstream reports for every prompt. */
const promptTokens = 10n;

/** The calls Turnpike answered so far and their price. */
export class Bill {
  calls = 0;
  nanos = 0n;
  /** Calls that broke off: they may be in the books, at a price that only the books know. */
  unknownCalls = 0;

  add(calls: number, deltas: number): void {
    this.calls += calls;
    this.nanos +=
      BigInt(calls) * (promptTokens * inputNanosPerToken + BigInt(deltas) * outputNanosPerToken);
  }

  addUnknown(calls: number): void {
    this.unknownCalls += calls;
  }
}
