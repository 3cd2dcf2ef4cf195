// Automatic top-up: its state, its limits, and the saved card. Off until someone turns it on here; the card is saved
// at a checkout.

import { A } from "@solidjs/router";
import { useQueryClient } from "@tanstack/solid-query";
import { type JSX, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { checkUsd } from "../../lib/typed-text.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Checkbox } from "../../ui/choices.tsx";
import { createForm } from "../../ui/create-form.ts";
import { FormFrame, SubmitButton } from "../../ui/form.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { useChange } from "../../ui/use-change.ts";

type AutoTopUp = Answers["wallet"]["autoTopUp"];

const queryKey = ["wallet", "auto-top-up"];

export default function AutoTopUpCard(): JSX.Element {
  const query = useAnswer(queryKey, (call) => api.wallet.autoTopUp.query(undefined, call));
  return (
    <Card
      title="Automatic top-up"
      description="Charges your saved card when the balance falls below a threshold."
    >
      <Loaded
        query={query}
        what="automatic top-up"
        skeleton={<SkeletonRows bare rows={1} rowClass="h-10" />}
      >
        {(data) => (
          <Show when={data().card} fallback={<NoCard />}>
            {(card) => (
              <div class="flex flex-col gap-5">
                <Problem of={data()} />
                <SavedCard card={card()} />
                <SettingsForm of={data()} />
              </div>
            )}
          </Show>
        )}
      </Loaded>
    </Card>
  );
}

function NoCard(): JSX.Element {
  return (
    <p class="text-muted">
      Off. To use it,{" "}
      <A href="/wallet?do=add-funds" class="link">
        add funds
      </A>{" "}
      and choose to save the card for automatic top-ups.
    </p>
  );
}

const problems = {
  declined:
    "Your card was declined. Nothing more is charged until you save another card, or save these settings again.",
  needs_authentication:
    "Your bank wants you to confirm the payment. Add funds yourself, then save these settings again.",
  expired_card: "Your saved card has expired. Add funds with a new card and save it.",
} as const satisfies Record<Exclude<AutoTopUp["state"], "ok">, string>;

function Problem(props: { of: AutoTopUp }): JSX.Element {
  const text = () => (props.of.state === "ok" ? undefined : problems[props.of.state]);
  return <Show when={text()}>{(problem) => <Banner tone="danger">{problem()}</Banner>}</Show>;
}

function SavedCard(props: { card: NonNullable<AutoTopUp["card"]> }): JSX.Element {
  const removal = useChange(() => api.wallet.removeCard.mutate(), {
    refreshes: queryKey,
    toast: "Card removed",
  });
  const expiry = () => `${String(props.card.expMonth).padStart(2, "0")}/${props.card.expYear}`;
  return (
    <div class="flex flex-wrap items-center justify-between gap-3">
      <p class="figures">
        <span class="capitalize">{props.card.brand}</span> ending in {props.card.last4}, expires{" "}
        {expiry()}
      </p>
      <Button size="small" changes onClick={() => removal.mutate()}>
        Remove card
      </Button>
    </div>
  );
}

/** The settings are read once: a refetch must not overwrite what is being typed. */
function SettingsForm(props: { of: AutoTopUp }): JSX.Element {
  const client = useQueryClient();
  const { enabled, thresholdUsd, amountUsd, ceilingUsd } = props.of;
  const form = createForm({
    initial: {
      enabled,
      thresholdUsd: thresholdUsd ?? "5",
      amountUsd: amountUsd ?? "25",
      ceilingUsd: ceilingUsd ?? "100",
    },
    draft: "auto-top-up",
    validate: (values) => ({
      thresholdUsd: checkUsd(values.thresholdUsd),
      amountUsd: checkUsd(values.amountUsd),
      ceilingUsd: checkUsd(values.ceilingUsd),
    }),
    async submit(values) {
      await api.wallet.setAutoTopUp.mutate({
        enabled: values.enabled,
        thresholdUsd: values.thresholdUsd.trim(),
        amountUsd: values.amountUsd.trim(),
        ceilingUsd: values.ceilingUsd.trim(),
      });
      await client.invalidateQueries({ queryKey });
      showToast("Saved");
    },
  });
  const money = { prefix: "$", inputmode: "decimal", autocomplete: "off" } as const;
  return (
    <FormFrame form={form}>
      <Checkbox
        label="Top up automatically"
        checked={form.values.enabled}
        onChange={(checked) => form.set("enabled", checked)}
      />
      <div class="grid gap-4 sm:grid-cols-3">
        <TextField {...form.field("thresholdUsd")} label="When below" {...money} />
        <TextField {...form.field("amountUsd")} label="Add" {...money} />
        <TextField {...form.field("ceilingUsd")} label="At most a month" {...money} />
      </div>
      <SubmitButton form={form} label="Save" pendingLabel="Saving…" />
    </FormFrame>
  );
}
