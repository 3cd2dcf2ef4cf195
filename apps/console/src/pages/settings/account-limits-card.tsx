// How fast all calls of an account together may be made.
import { useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { api } from "../../lib/api.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { Card } from "../../ui/card.tsx";
import { FormFrame, SubmitButton } from "../../ui/form.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { createRatesForm, RateFields, type RateLimits } from "../shared/rate-limits.tsx";

const limitsKey = ["account", "limits"] as const;

export function AccountLimitsCard(): JSX.Element {
  const query = useAnswer(limitsKey, (call) => api.accounts.limits.query(undefined, call));
  return (
    <Card
      title="Rate limits"
      description="For all requests of this organization together, beside the limits of its keys and projects. Leave a field empty for no limit."
    >
      <Loaded query={query} what="the rate limits">
        {(limits) => <LimitsForm limits={limits()} />}
      </Loaded>
    </Card>
  );
}

function LimitsForm(props: { limits: RateLimits }): JSX.Element {
  const client = useQueryClient();
  const form = createRatesForm(props.limits, async (limits) => {
    await api.accounts.setLimits.mutate(limits);
    await client.invalidateQueries({ queryKey: limitsKey });
    showToast("Saved");
  });
  return (
    <FormFrame form={form}>
      <RateFields form={form} />
      <SubmitButton form={form} label="Save limits" pendingLabel="Saving…" />
    </FormFrame>
  );
}
