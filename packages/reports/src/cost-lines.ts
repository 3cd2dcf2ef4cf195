// The bill of one request, line by line: tokens times price, and the rounding to a whole
// number of nano-dollars. The lines sum to the charge, exactly.
import { type Nanos, scaleRate } from "@turnpike/base";
import type { UsageDetails } from "@turnpike/db";

export type CostLine = {
  readonly label: string;
  readonly tokens: number | null;
  /** Nano-dollars per million tokens; null for lines that are not tokens. */
  readonly nanosPerMillion: bigint | null;
  /** Femto-dollars (1e-15 USD): a millionth of a nano-dollar, so that no line is rounded. */
  readonly costFemtos: bigint;
};

type Billed = {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
  readonly cacheWriteTokens: number;
  readonly cacheWrite1hTokens: number;
  readonly usageDetails?: UsageDetails | null;
  readonly costNanos: Nanos;
  readonly chargedNanos: Nanos;
  readonly shortfallNanos: Nanos;
};

type Rates = {
  readonly inputNanos: bigint;
  readonly cachedInputNanos: bigint;
  readonly cacheWriteNanos: bigint;
  readonly cacheWrite1hNanos: bigint | null;
  readonly audioInputNanos?: bigint | null;
  readonly audioOutputNanos?: bigint | null;
  readonly webSearchNanos?: bigint | null;
  readonly outputNanos: bigint;
};

const femtosPerNano = 1_000_000n;

/** Empty if nothing was charged. Splits the prompt as `costOf` of the catalog does. */
export function costLinesOf(request: Billed, listed: Rates | null): CostLine[] {
  if (listed === null || request.costNanos === 0n) return [];
  const price = agreedRates(listed, request.usageDetails?.markupBasisPoints);
  const cached = Math.min(request.cachedTokens, request.promptTokens);
  const cacheWrite = Math.min(request.cacheWriteTokens, request.promptTokens - cached);
  const longWrite = Math.min(request.cacheWrite1hTokens, cacheWrite);
  const { completionTokens, usageDetails: details } = request;
  const fresh = request.promptTokens - cached - cacheWrite;
  const cachedAudio = details?.cachedAudioPromptTokens ?? cached + cacheWrite;
  const audioPrompt = Math.min(Math.max(0, (details?.audioPromptTokens ?? 0) - cachedAudio), fresh);
  const audioCompletion = Math.min(details?.audioCompletionTokens ?? 0, completionTokens);
  const lines = [
    tokenLine("Input", fresh - audioPrompt, price.inputNanos),
    tokenLine("Audio input", audioPrompt, price.audioInputNanos ?? price.inputNanos),
    tokenLine("Cached input", cached, price.cachedInputNanos),
    tokenLine("Cache write", cacheWrite - longWrite, price.cacheWriteNanos),
    tokenLine("Cache write, 1 hour", longWrite, price.cacheWrite1hNanos ?? price.cacheWriteNanos),
    tokenLine("Output", completionTokens - audioCompletion, price.outputNanos),
    tokenLine("Audio output", audioCompletion, price.audioOutputNanos ?? price.outputNanos),
  ].filter((line) => line.tokens !== 0);
  const searches = details?.webSearches ?? 0;
  if (searches > 0) {
    const cost = BigInt(searches) * (price.webSearchNanos ?? 0n);
    lines.push(plainLine(`Web searches: ${searches}`, cost));
  }
  let sum = 0n;
  for (const line of lines) sum += line.costFemtos;
  const rounding = request.costNanos * femtosPerNano - sum;
  if (rounding !== 0n) lines.push(plainLine("Rounding", rounding));
  if (request.shortfallNanos > 0n) {
    lines.push(plainLine("Not charged", -request.shortfallNanos * femtosPerNano));
  }
  return lines;
}

/** What the account paid, if it agreed prices with the operator. */
function agreedRates(listed: Rates, markupBasisPoints: number | undefined): Rates {
  if (markupBasisPoints === undefined) return listed;
  const scale = (rate: bigint) => scaleRate(rate, markupBasisPoints);
  const optional = (rate: bigint | null | undefined) => (rate == null ? null : scale(rate));
  return {
    inputNanos: scale(listed.inputNanos),
    cachedInputNanos: scale(listed.cachedInputNanos),
    cacheWriteNanos: scale(listed.cacheWriteNanos),
    cacheWrite1hNanos: optional(listed.cacheWrite1hNanos),
    audioInputNanos: optional(listed.audioInputNanos),
    audioOutputNanos: optional(listed.audioOutputNanos),
    webSearchNanos: optional(listed.webSearchNanos),
    outputNanos: scale(listed.outputNanos),
  };
}

function tokenLine(label: string, tokens: number, nanosPerMillion: bigint): CostLine {
  return { label, tokens, nanosPerMillion, costFemtos: BigInt(tokens) * nanosPerMillion };
}

function plainLine(label: string, costFemtos: bigint): CostLine {
  return { label, tokens: null, nanosPerMillion: null, costFemtos };
}

/** Exact decimal USD of femto-dollars, without trailing zeros. */
export function formatFemtos(femtos: bigint): string {
  const sign = femtos < 0n ? "-" : "";
  const digits = (femtos < 0n ? -femtos : femtos).toString().padStart(16, "0");
  const fraction = digits.slice(-15).replace(/0{1,15}$/, "");
  const whole = digits.slice(0, -15);
  return fraction === "" ? `${sign}${whole}` : `${sign}${whole}.${fraction}`;
}
