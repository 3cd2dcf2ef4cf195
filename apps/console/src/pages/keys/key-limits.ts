// The limits of a key as a form holds them, and as the API takes them.
import type { Inputs } from "../../lib/api.ts";
import { compareDecimals, isDay, nextDay, startOfDay } from "../../lib/format.ts";
import type { Key, PeriodName } from "../shared/key-spend.tsx";

export type LimitValues = {
  amount: string;
  period: string;
  requestsPerMinute: string;
  tokensPerMinute: string;
  concurrency: string;
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

const periods: readonly PeriodName[] = ["day", "week", "month", "total"];
const secondMs = 1_000;
const dayMs = 86_400_000;

/** The values of a key that exists; a key with several spend limits shows its first. */
export function limitValuesOf(key: LimitedKey): LimitValues {
  const { limits } = key;
  const period = periods.find((name) => limits.spendLimitsUsd[name] !== null);
  return {
    amount: period === undefined ? "" : (limits.spendLimitsUsd[period] ?? ""),
    period: period ?? "month",
    requestsPerMinute: limits.requestsPerMinute?.toString() ?? "",
    tokensPerMinute: limits.tokensPerMinute?.toString() ?? "",
    concurrency: limits.concurrency?.toString() ?? "",
    models: limits.allowedModels?.join("\n") ?? "",
    addresses: limits.allowedAddresses?.join("\n") ?? "",
    expiry: limits.expiresAt === null ? "never" : "keep",
    expiryDate: "",
  };
}

/** The error of each field; the server validates again. */
export function checkLimits(values: LimitValues, models: ReadonlySet<string>, timeZone: string) {
  return {
    amount: checkAmount(values.amount),
    requestsPerMinute: checkCount(values.requestsPerMinute),
    tokensPerMinute: checkCount(values.tokensPerMinute),
    concurrency: checkCount(values.concurrency),
    models: checkModels(values.models, models),
    addresses: checkAddresses(values.addresses),
    expiryDate: values.expiry === "date" ? checkDate(values.expiryDate, timeZone) : undefined,
  };
}

function checkAmount(text: string): string | undefined {
  const amount = text.trim();
  if (amount === "") return undefined;
  if (!/^\d{1,10}(\.\d{1,2})?$/.test(amount)) return "Enter an amount such as 10 or 10.50.";
  return compareDecimals(amount, "0") > 0 ? undefined : "Enter more than $0.";
}

function checkCount(text: string): string | undefined {
  const count = text.trim();
  return count === "" || /^[1-9]\d{0,6}$/.test(count)
    ? undefined
    : "Enter a whole number of 1 or more.";
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

export function linesOf(text: string): readonly string[] {
  return text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
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
  const models = linesOf(values.models);
  const addresses = linesOf(values.addresses);
  const expiresAt = expiryOf(values, timeZone, edited?.expiresAt ?? null);
  const spendLimitsUsd = spendLimitsOf(values, edited);
  const limits: Limits = {
    ...(Object.keys(spendLimitsUsd).length > 0 && { spendLimitsUsd }),
    ...(values.requestsPerMinute.trim() !== "" && {
      requestsPerMinute: Number(values.requestsPerMinute),
    }),
    ...(values.tokensPerMinute.trim() !== "" && {
      tokensPerMinute: Number(values.tokensPerMinute),
    }),
    ...(values.concurrency.trim() !== "" && { concurrency: Number(values.concurrency) }),
    ...(models.length > 0 && { allowedModels: [...models] }),
    ...(addresses.length > 0 && { allowedAddresses: [...addresses] }),
    ...(expiresAt !== undefined && { expiresAt }),
  };
  return Object.keys(limits).length === 0 ? undefined : limits;
}

/** The limit shown in the form, plus those of other periods that it does not show. */
function spendLimitsOf(
  values: LimitValues,
  edited: LimitedKey | undefined,
): Record<string, string> {
  const shown = edited && limitValuesOf(edited).period;
  const kept = periods.flatMap((name) => {
    const usd = edited?.limits.spendLimitsUsd[name] ?? null;
    return usd === null || name === shown ? [] : [[name, usd] as const];
  });
  const amount = values.amount.trim();
  const period = periods.find((name) => name === values.period) ?? "month";
  return { ...Object.fromEntries(kept), ...(amount !== "" && { [period]: amount }) };
}

function expiryOf(values: LimitValues, timeZone: string, kept: string | null): string | undefined {
  if (values.expiry === "keep") return kept ?? undefined;
  if (values.expiry === "date") return endOfDay(values.expiryDate, timeZone)?.toISOString();
  const days = { days30: 30, days90: 90 }[values.expiry];
  return days === undefined ? undefined : new Date(Date.now() + days * dayMs).toISOString();
}
