// How fast all calls of an account together may be made.
import { useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { api } from "../../lib/api.ts";
import { createTexts } from "../../lib/create-texts.ts";
import { t as shared } from "../../lib/texts.ts";
import { useQuery } from "../../lib/use-query.ts";
import { Card } from "../../ui/card.tsx";
import { createForm } from "../../ui/create-form.ts";
import { FormFrame, SubmitButton } from "../../ui/form.tsx";
import { LeaveGuard } from "../../ui/leave-guard.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { showToast } from "../../ui/toasts.tsx";

const t = createTexts({
  limits: {
    title: "Rate limits",
    description:
      "For all requests of this organization together, beside the limits of its keys and projects. Leave a field empty for no limit.",
    what: "the rate limits",
    requests: "Requests per minute",
    tokens: "Tokens per minute",
    concurrency: "Concurrent requests",
    wrong: "Enter a whole number, or leave it empty.",
    tooMany: "At most 10,000.",
    save: "Save limits",
  },
});

const limitsKey = ["account", "limits"] as const;
type Limits = Awaited<ReturnType<typeof api.accounts.limits.query>>;

export function AccountLimitsCard(): JSX.Element {
  const query = useQuery(() => ({
    queryKey: limitsKey,
    queryFn: ({ signal }) => api.accounts.limits.query(undefined, { signal }),
  }));
  return (
    <Card title={t("limits.title")} description={t("limits.description")}>
      <Loaded query={query} what={t("limits.what")}>
        {(limits) => <LimitsForm limits={limits()} />}
      </Loaded>
    </Card>
  );
}

function LimitsForm(props: { limits: Limits }): JSX.Element {
  const client = useQueryClient();
  const textOf = (limit: number | null) => limit?.toString() ?? "";
  const form = createForm({
    initial: {
      requests: textOf(props.limits.requestsPerMinute),
      tokens: textOf(props.limits.tokensPerMinute),
      concurrency: textOf(props.limits.concurrency),
    },
    validate: ({ requests, tokens, concurrency }) => ({
      requests: checkCount(requests),
      tokens: checkCount(tokens),
      concurrency:
        checkCount(concurrency) ?? (Number(concurrency) > 10_000 ? t("limits.tooMany") : undefined),
    }),
    async submit({ requests, tokens, concurrency }) {
      await api.accounts.setLimits.mutate({
        requestsPerMinute: numberOf(requests),
        tokensPerMinute: numberOf(tokens),
        concurrency: numberOf(concurrency),
      });
      await client.invalidateQueries({ queryKey: limitsKey });
      showToast(shared("state.saved"));
    },
  });
  return (
    <>
      <LeaveGuard form={form} />
      <FormFrame form={form}>
        <div class="grid items-start gap-4 sm:grid-cols-2">
          <TextField {...form.field("requests")} label={t("limits.requests")} inputmode="numeric" />
          <TextField {...form.field("tokens")} label={t("limits.tokens")} inputmode="numeric" />
          <TextField
            {...form.field("concurrency")}
            label={t("limits.concurrency")}
            inputmode="numeric"
          />
        </div>
        <div>
          <SubmitButton form={form} pendingLabel={shared("action.saving")}>
            {t("limits.save")}
          </SubmitButton>
        </div>
      </FormFrame>
    </>
  );
}

function checkCount(text: string): string | undefined {
  const count = text.trim();
  return count === "" || /^[1-9]\d{0,6}$/.test(count) ? undefined : t("limits.wrong");
}

function numberOf(text: string): number | null {
  return text.trim() === "" ? null : Number(text);
}
