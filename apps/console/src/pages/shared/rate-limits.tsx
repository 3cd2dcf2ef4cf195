// The fields of the rate limits of an account or a project.
import type { JSX } from "solid-js";
import { createTexts } from "../../lib/create-texts.ts";
import { createForm, type Form } from "../../ui/create-form.ts";
import { TextField } from "../../ui/text-field.tsx";

const t = createTexts({
  limits: {
    requests: "Requests per minute",
    tokens: "Tokens per minute",
    concurrency: "Concurrent requests",
    wrong: "Enter a whole number, or leave it empty.",
    tooMany: "At most 10,000.",
  },
});

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
        (Number(concurrency) > concurrencyMax ? t("limits.tooMany") : undefined),
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
      <TextField {...form.field("requests")} label={t("limits.requests")} inputmode="numeric" />
      <TextField {...form.field("tokens")} label={t("limits.tokens")} inputmode="numeric" />
      <TextField
        {...form.field("concurrency")}
        label={t("limits.concurrency")}
        inputmode="numeric"
      />
    </div>
  );
}

function checkCount(text: string): string | undefined {
  const count = text.trim();
  return count === "" || /^[1-9]\d{0,6}$/.test(count) ? undefined : t("limits.wrong");
}

function numberOf(text: string): number | null {
  return text.trim() === "" ? null : Number(text);
}
