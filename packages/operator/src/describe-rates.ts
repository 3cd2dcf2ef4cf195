// A price list as named amounts in words, and how two of them differ in sentences: `input $2.50 → $3.00 per million`.
import { formatCount, formatExactUsd } from "@turnpike/format";
import {
  type BySize,
  formatUsd,
  type PriceList,
  type RateKind,
  type Rates,
  rateKinds,
  rateNames,
  rateOf,
  statedUnitPrice,
  stateRate,
  toNanos,
  units,
} from "@turnpike/terms";

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
    for (const kind of rateKinds) {
      const nanos = rateOf(rates, kind);
      if (nanos === undefined) continue;
      const isAsInput = /^cache/.test(kind) && nanos === rates.inputNanosPerMillion;
      named.set(`${rateNames[kind].toLowerCase()}${where}`, {
        ...describeRate(kind, nanos),
        isAsInput,
      });
    }
    for (const rate of rates.units ?? []) {
      const { name, per } = units[rate.unit];
      const variant = rate.variant === undefined ? "" : ` ${rate.variant}`;
      const amount = formatExactUsd(formatUsd(toNanos(statedUnitPrice(rate))));
      named.set(`${name.toLowerCase()}${variant}${where}`, {
        amount,
        unit: ` per ${per}`,
        isAsInput: false,
      });
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

function describeRate(kind: RateKind, nanosPerMillion: bigint) {
  return {
    amount: nanosPerMillion === 0n ? "free" : formatExactUsd(stateRate(kind, nanosPerMillion)),
    // A provider lists searches by the thousand, and so does the catalog.
    unit: kind === "webSearch" ? " per thousand" : " per million",
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
