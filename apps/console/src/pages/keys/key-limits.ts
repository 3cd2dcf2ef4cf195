// The limits of a key as a form holds them, and as the API takes them.
import type { BudgetPeriod } from "@turnpike/terms";
import type { Inputs } from "../../lib/api.ts";
import { isDay, nextDay, startOfDay } from "../../lib/format.ts";
import { omitEmpty } from "../../lib/omit-empty.ts";
import { checkUsd, linesOf } from "../../lib/typed-text.ts";
import { parseUsd } from "../../lib/typed-usd.ts";
import { type Key, periods } from "../../product/keys/key-spend.tsx";
import {
  checkRates,
  type RateValues,
  ratesOf,
  rateValuesOf,
} from "../../product/limits/rate-limits.tsx";

export type LimitValues = RateValues & {
  amount: string;
  period: BudgetPeriod;
  models: string;
  addresses: string;
  expiry: string;
  expiryDate: string;
};

type LimitedKey = Pick<Key, "limits" | "expiresAt">;
type Limits = NonNullable<Inputs["keys"]["create"]["limits"]>;

export const noLimitValues: LimitValues = {
  amount: "",
  period: "month",
  requestsPerMinute: "",
  tokensPerMinute: "",
  concurrency: "",
  models: "",
  addresses: "",
  expiry: "never",
  expiryDate: "",
};

/** Said of a key without a name. */
export const nameMissing = "Enter a name for this key.";

const secondMs = 1_000;
const dayMs = 86_400_000;

/** The values of a key that exists; a key with several spend limits shows its first. */
export function limitValuesOf(key: LimitedKey): LimitValues {
  const { limits } = key;
  const period = periods.find((name) => limits.spendLimitsUsd[name] !== null);
  return {
    amount: period === undefined ? "" : (limits.spendLimitsUsd[period] ?? ""),
    period: period ?? "month",
    ...rateValuesOf(limits),
    models: limits.allowedModels?.join("\n") ?? "",
    addresses: limits.allowedAddresses?.join("\n") ?? "",
    expiry: limits.expiresAt === null ? "never" : "keep",
    expiryDate: "",
  };
}

/** The error of each field; the server validates again. */
export function checkLimits(values: LimitValues, models: ReadonlySet<string>, timeZone: string) {
  return {
    amount: checkUsd(values.amount, { none: true }),
    ...checkRates(values),
    models: checkModels(values.models, models),
    addresses: checkAddresses(values.addresses),
    expiryDate: values.expiry === "date" ? checkDate(values.expiryDate, timeZone) : undefined,
  };
}

function checkModels(text: string, known: ReadonlySet<string>): string | undefined {
  const unknown =
    known.size === 0 ? undefined : linesOf(text).find((id) => !known.has(id) && !id.endsWith("*"));
  return unknown === undefined ? undefined : `Unknown model: ${unknown}`;
}

function checkAddresses(text: string): string | undefined {
  const line = linesOf(text).find((entry) => !/^[\da-f:.]+(\/\d{1,3})?$/i.test(entry));
  return line === undefined ? undefined : `Invalid IP address or range: ${line}`;
}

function checkDate(text: string, timeZone: string): string | undefined {
  const end = endOfDay(text, timeZone);
  return end !== undefined && end.getTime() > Date.now()
    ? undefined
    : "Choose a day in the future.";
}

/** The last second of a day. */
function endOfDay(text: string, timeZone: string): Date | undefined {
  const next = isDay(text) ? startOfDay(nextDay(text), timeZone) : undefined;
  return next && new Date(next.getTime() - secondMs);
}

/**
 * Undefined without limits. Limits of an `edited` key that the form does not show are kept. A day ends
 * in the reader's `timeZone`.
 */
export function limitsInput(
  values: LimitValues,
  timeZone: string,
  edited?: LimitedKey,
): Limits | undefined {
  const { requestsPerMinute, tokensPerMinute, concurrency } = ratesOf(values);
  const limits = omitEmpty({
    spendLimitsUsd: spendLimitsOf(values, edited),
    requestsPerMinute: requestsPerMinute ?? undefined,
    tokensPerMinute: tokensPerMinute ?? undefined,
    concurrency: concurrency ?? undefined,
    allowedModels: linesOf(values.models),
    allowedAddresses: linesOf(values.addresses),
    expiresAt: expiryOf(values, timeZone, edited?.expiresAt ?? null),
  });
  return Object.keys(limits).length === 0 ? undefined : limits;
}

/** The limit shown in the form, plus those of other periods that it does not show. */
function spendLimitsOf(
  values: LimitValues,
  edited: LimitedKey | undefined,
): Record<string, string> | undefined {
  const shown = edited && limitValuesOf(edited).period;
  const kept = periods.flatMap((name) => {
    const usd = edited?.limits.spendLimitsUsd[name] ?? null;
    return usd === null || name === shown ? [] : [[name, usd] as const];
  });
  const amount = parseUsd(values.amount);
  const all = amount === "" ? kept : [...kept, [values.period, amount] as const];
  return all.length === 0 ? undefined : Object.fromEntries(all);
}

function expiryOf(values: LimitValues, timeZone: string, kept: string | null): string | undefined {
  if (values.expiry === "keep") return kept ?? undefined;
  if (values.expiry === "date") return endOfDay(values.expiryDate, timeZone)?.toISOString();
  const days = { days30: 30, days90: 90 }[values.expiry];
  return days === undefined ? undefined : new Date(Date.now() + days * dayMs).toISOString();
}
