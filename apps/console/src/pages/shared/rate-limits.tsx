// The fields of the rate limits of an account or a project.
import type { JSX } from "solid-js";
import { createForm, type Form } from "../../ui/create-form.ts";
import { TextField } from "../../ui/text-field.tsx";

/** Null is no limit. */
export type RateLimits = {
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
  readonly concurrency: number | null;
};

type RateValues = { requests: string; tokens: string; concurrency: string };

const concurrencyMax = 10_000;

export function createRatesForm(
  limits: RateLimits,
  save: (limits: RateLimits) => Promise<void>,
): Form<RateValues> {
  const textOf = (limit: number | null) => limit?.toString() ?? "";
  return createForm({
    initial: {
      requests: textOf(limits.requestsPerMinute),
      tokens: textOf(limits.tokensPerMinute),
      concurrency: textOf(limits.concurrency),
    },
    validate: ({ requests, tokens, concurrency }) => ({
      requests: checkCount(requests),
      tokens: checkCount(tokens),
      concurrency:
        checkCount(concurrency) ??
        (Number(concurrency) > concurrencyMax ? "At most 10,000." : undefined),
    }),
    submit: ({ requests, tokens, concurrency }) =>
      save({
        requestsPerMinute: numberOf(requests),
        tokensPerMinute: numberOf(tokens),
        concurrency: numberOf(concurrency),
      }),
  });
}

export function RateFields(props: { form: Form<RateValues> }): JSX.Element {
  const { form } = props;
  return (
    <div class="grid items-start gap-4 sm:grid-cols-2">
      <TextField {...form.field("requests")} label="Requests per minute" inputmode="numeric" />
      <TextField {...form.field("tokens")} label="Tokens per minute" inputmode="numeric" />
      <TextField {...form.field("concurrency")} label="Concurrent requests" inputmode="numeric" />
    </div>
  );
}

function checkCount(text: string): string | undefined {
  const count = text.trim();
  return count === "" || /^[1-9]\d{0,6}$/.test(count)
    ? undefined
    : "Enter a whole number, or leave it empty.";
}

function numberOf(text: string): number | null {
  return text.trim() === "" ? null : Number(text);
}
