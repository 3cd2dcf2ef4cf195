// The bill of one request, line by line: tokens times price, and the rounding to a whole
// number of nano-dollars. The lines sum to the charge, exactly.
import type { UsageDetails } from "@turnpike/db";
import { formatExactUsd, formatUnitCount } from "@turnpike/format";
import {
  type BilledUsage,
  billedRate,
  billedUnitRate,
  countOf,
  formatUsd,
  type Nanos,
  type Rates,
  rateKinds,
  rateNames,
  scaleRates,
  statedUnitPrice,
  toNanos,
  units,
} from "@turnpike/terms";

export type CostLine = {
  readonly label: string;
  readonly tokens: number | null;
  /** Nano-dollars per million tokens; null for lines that are not tokens. */
  readonly nanosPerMillion: bigint | null;
  /** Femto-dollars (1e-15 USD): a millionth of a nano-dollar, so that no line is rounded. */
  readonly costFemtos: bigint;
};

type Billed = BilledUsage & {
  readonly usageDetails?: UsageDetails | null;
  readonly costNanos: Nanos;
  readonly chargedNanos: Nanos;
  readonly shortfallNanos: Nanos;
};

const femtosPerNano = 1_000_000n;

/** Empty if nothing was charged. */
export function costLinesOf(request: Billed, listed: Rates | null): CostLine[] {
  if (listed === null || request.costNanos === 0n) return [];
  const { usageDetails: details } = request;
  // What the account paid, if it agreed prices with the operator.
  const price = scaleRates(listed, details?.markupBasisPoints ?? 0);
  const usage = { ...request, ...details };
  const lines = rateKinds.flatMap((kind): CostLine[] => {
    const count = countOf(kind, usage);
    const rate = billedRate(price, kind);
    const costFemtos = BigInt(count) * rate;
    if (count === 0) return [];
    if (kind === "webSearch") return [plainLine(`Web searches: ${count}`, costFemtos)];
    return [{ label: rateNames[kind], tokens: count, nanosPerMillion: rate, costFemtos }];
  });
  for (const counted of usage.units ?? []) {
    const { unit, count } = counted;
    const nanosPerMillion = billedUnitRate(price, counted);
    const usd = formatExactUsd(formatUsd(toNanos(statedUnitPrice({ unit, nanosPerMillion }))));
    const label = `${formatUnitCount(counted)}, at ${usd} per ${units[unit].per}`;
    lines.push(plainLine(label, BigInt(count) * nanosPerMillion));
  }
  const sum = lines.reduce((before, { costFemtos }) => before + costFemtos, 0n);
  const rounding = request.costNanos * femtosPerNano - sum;
  if (rounding !== 0n) lines.push(plainLine("Rounding", rounding));
  if (request.shortfallNanos > 0n) {
    lines.push(plainLine("Not charged", -request.shortfallNanos * femtosPerNano));
  }
  return lines;
}

function plainLine(label: string, costFemtos: bigint): CostLine {
  return { label, tokens: null, nanosPerMillion: null, costFemtos };
}
