// A price list as named amounts in words, and how two of them differ in sentences: `input $2.50 → $3.00 per million`.
import { formatUsd, toNanos } from "@turnpike/base";
import type { BySize, PriceList, Rates } from "@turnpike/catalog";
import { formatCount, formatExactUsd } from "@turnpike/format";

const rateNames = {
  inputNanosPerMillion: "input",
  cachedInputNanosPerMillion: "cached input",
  cacheWriteNanosPerMillion: "cache write",
  cacheWrite1hNanosPerMillion: "cache write for 1 hour",
  audioInputNanosPerMillion: "audio input",
  audioOutputNanosPerMillion: "audio output",
  webSearchNanosPerMillion: "web search",
  outputNanosPerMillion: "output",
} as const satisfies Record<keyof Rates, string>;

/** By what it is the price of, such as `input of prompts above 200,000 tokens, flex`. */
type NamedAmounts = ReadonlyMap<string, Amount>;

type Amount = {
  readonly amount: string;
  readonly unit: string;
  /** As the price of uncached input, which its change says already. */
  readonly isAsInput: boolean;
};

function nameAmounts(list: PriceList): NamedAmounts {
  const named = new Map<string, Amount>();
  const addRates = (rates: Rates, where: string) => {
    for (const [field, name] of Object.entries(rateNames)) {
      const nanos = rates[asRate(field)];
      if (nanos === undefined) continue;
      const isAsInput = /^cache/.test(name) && nanos === rates.inputNanosPerMillion;
      named.set(`${name}${where}`, { ...describeRate(asRate(field), nanos), isAsInput });
    }
  };
  const addSizes = (sizes: BySize<Rates>, where: string) => {
    addRates(sizes, where);
    for (const long of sizes.longPrompts ?? []) {
      addRates(long, ` of prompts above ${formatCount(long.aboveTokens)} tokens${where}`);
    }
  };
  addSizes(list, "");
  for (const [tier, sizes] of Object.entries(list.tiers ?? {})) addSizes(sizes, `, ${tier}`);
  return named;
}

/** Guarantees nothing that `rateNames` does not: its fields are those of `Rates`. */
function asRate(field: string): keyof Rates {
  return field as keyof Rates;
}

function describeRate(field: keyof Rates, nanosPerMillion: bigint) {
  // A provider lists searches by the thousand, and so does the catalog.
  const isSearch = field === "webSearchNanosPerMillion";
  const nanos = isSearch ? nanosPerMillion / 1_000n : nanosPerMillion;
  return {
    amount: nanos === 0n ? "free" : formatExactUsd(formatUsd(toNanos(nanos))),
    unit: isSearch ? " per thousand" : " per million",
  };
}

const unpriced: Amount = { amount: "not priced", unit: "", isAsInput: false };

/** One sentence for each amount that differs; an absent list has none. */
export function compareRates(
  who: string,
  before: PriceList | undefined,
  after: PriceList | undefined,
): string[] {
  const old = before === undefined ? new Map() : nameAmounts(before);
  const now = after === undefined ? new Map() : nameAmounts(after);
  const names = new Set<string>([...old.keys(), ...now.keys()]);
  return [...names].flatMap((name) => {
    const from: Amount = old.get(name) ?? unpriced;
    const to: Amount = now.get(name) ?? unpriced;
    if (from.amount === to.amount || (from.isAsInput && to.isAsInput)) return [];
    return [`${who} ${name} ${from.amount} → ${to.amount}${to.unit}`];
  });
}
