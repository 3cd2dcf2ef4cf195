// The fields of the rate limits of an account, a project or a key.
import { rateMax } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { For } from "solid-js";
import { formatCount } from "../../lib/format.ts";
import { counted } from "../../lib/plural.ts";
import { checkCount } from "../../lib/typed-text.ts";
import { createForm, type Form, type FormOptions } from "../../ui/forms/create-form.ts";
import { TextField } from "../../ui/forms/text-field.tsx";

/** Null is no limit. */
export type RateLimits = {
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
  readonly concurrency: number | null;
};
export type RateValues = Record<keyof RateLimits, string>;

const labels = [
  ["requestsPerMinute", "Requests per minute"],
  ["tokensPerMinute", "Tokens per minute"],
  ["concurrency", "Concurrent requests"],
] as const;

export function rateValuesOf(limits: RateLimits): RateValues {
  return {
    requestsPerMinute: limits.requestsPerMinute?.toString() ?? "",
    tokensPerMinute: limits.tokensPerMinute?.toString() ?? "",
    concurrency: limits.concurrency?.toString() ?? "",
  };
}

export function checkRates({ requestsPerMinute, tokensPerMinute, concurrency }: RateValues) {
  return {
    requestsPerMinute: checkCount(requestsPerMinute),
    tokensPerMinute: checkCount(tokensPerMinute),
    concurrency:
      checkCount(concurrency) ??
      (Number(concurrency) > rateMax.concurrency
        ? `At most ${formatCount(rateMax.concurrency)}.`
        : undefined),
  };
}

export function ratesOf({ requestsPerMinute, tokensPerMinute, concurrency }: RateValues) {
  const numberOf = (text: string) => (text.trim() === "" ? null : Number(text));
  return {
    requestsPerMinute: numberOf(requestsPerMinute),
    tokensPerMinute: numberOf(tokensPerMinute),
    concurrency: numberOf(concurrency),
  };
}

/** Those that are set. */
export function describeRates(limits: RateLimits): readonly string[] {
  const { requestsPerMinute, tokensPerMinute, concurrency } = limits;
  return [
    requestsPerMinute !== null && `${counted(requestsPerMinute, "request")} a minute`,
    tokensPerMinute !== null && `${counted(tokensPerMinute, "token")} a minute`,
    concurrency !== null && counted(concurrency, "concurrent request"),
  ].filter((text) => text !== false);
}

export function createRatesForm(
  limits: RateLimits,
  save: (limits: RateLimits) => Promise<unknown>,
  after: Pick<FormOptions<RateValues>, "refreshes" | "toast"> = {},
): Form<RateValues> {
  return createForm<RateValues>({
    initial: rateValuesOf(limits),
    validate: checkRates,
    submit: (values) => save(ratesOf(values)),
    ...after,
  });
}

export function RateFields(props: { form: Pick<Form<RateValues>, "field"> }): JSX.Element {
  return (
    <div class="grid items-start gap-4 sm:grid-cols-2">
      <For each={labels}>
        {([name, label]) => (
          <TextField {...props.form.field(name)} label={label} inputmode="numeric" />
        )}
      </For>
    </div>
  );
}
