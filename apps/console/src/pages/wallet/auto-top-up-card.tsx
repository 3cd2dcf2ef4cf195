// Automatic top-up: its state, its limits, and the saved card. Off until someone turns it on here; the card is saved
// at a checkout.

import { A } from "@solidjs/router";
import { useQueryClient } from "@tanstack/solid-query";
import { compareDecimals } from "@turnpike/terms";
import { type JSX, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { formatAmount } from "../../lib/format.ts";
import { checkUsd } from "../../lib/typed-text.ts";
import { parseUsd } from "../../lib/typed-usd.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { useChange } from "../../ui/buttons/use-change.ts";
import { Checkbox } from "../../ui/forms/choices.tsx";
import { createForm } from "../../ui/forms/create-form.ts";
import { FormFrame, SubmitButton } from "../../ui/forms/form.tsx";
import { TextField } from "../../ui/forms/text-field.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Banner } from "../../ui/notices/banner.tsx";
import { showToast } from "../../ui/notices/toasts.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
import { SkeletonRows } from "../../ui/states/skeleton.tsx";

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
          <Show when={data().card} fallback={<NoCard of={data()} />}>
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

function NoCard(props: { of: AutoTopUp }): JSX.Element {
  return (
    <p class="text-muted">
      <Show when={props.of.state === "deletion"} fallback="Off.">
        Off since you asked for the deletion of this account: your card was forgotten.
      </Show>{" "}
      To use it,{" "}
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
  refunded: "Paused, because a payment was refunded.",
  disputed: "Paused, because a payment was disputed with the bank.",
  lowered: "Paused, because something other than your requests lowered the balance.",
  suspended: "Paused, because your account is suspended. Contact support before you resume it.",
  frozen: "Paused, because your account owes money. Add funds before you resume it.",
  card_owner_left:
    "Paused, because the member who saved the card has left. Add funds with another card and save it.",
  deletion: "Paused, because the deletion of this account was asked for.",
} as const satisfies Record<Exclude<AutoTopUp["state"], "ok">, string>;

function Problem(props: { of: AutoTopUp }): JSX.Element {
  const text = () => (props.of.state === "ok" ? undefined : problems[props.of.state]);
  return (
    <Show when={text()}>
      {(problem) => (
        <Banner tone="danger">
          <p>{problem()}</p>
          <Show when={resumable.includes(props.of.state) && settingsOf(props.of)}>
            {(settings) => <Resume settings={settings()} />}
          </Show>
        </Banner>
      )}
    </Show>
  );
}

/** Where nothing else has to be done first, or it may have been done already. */
const resumable: readonly AutoTopUp["state"][] = [
  "refunded",
  "disputed",
  "lowered",
  "suspended",
  "frozen",
];

type Settings = Parameters<typeof api.wallet.setAutoTopUp.mutate>[0];

/** Undefined for one that was never set. */
function settingsOf({ thresholdUsd, amountUsd, ceilingUsd }: AutoTopUp): Settings | undefined {
  if (thresholdUsd === null || amountUsd === null || ceilingUsd === null) return undefined;
  return { enabled: true, thresholdUsd, amountUsd, ceilingUsd };
}

function Resume(props: { settings: Settings }): JSX.Element {
  const resumption = useChange(() => api.wallet.setAutoTopUp.mutate(props.settings), {
    refreshes: queryKey,
    toast: "Resumed",
  });
  return (
    <div class="mt-2 flex flex-wrap items-center gap-3">
      <Button size="small" changes onClick={() => resumption.mutate()}>
        Resume
      </Button>
      <p>
        {`If the balance is below ${formatAmount(props.settings.thresholdUsd)}, your card is charged ${formatAmount(props.settings.amountUsd)} once.`}
      </p>
    </div>
  );
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

/** A smaller one would leave the balance below the threshold. */
function checkCovers(values: { thresholdUsd: string; amountUsd: string }): string | undefined {
  const [amountUsd, thresholdUsd] = [values.amountUsd.trim(), values.thresholdUsd.trim()];
  if (checkUsd(thresholdUsd) !== undefined || compareDecimals(amountUsd, thresholdUsd) >= 0) return;
  return "Add at least the amount of the threshold.";
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
      amountUsd: checkUsd(values.amountUsd) ?? checkCovers(values),
      ceilingUsd: checkUsd(values.ceilingUsd),
    }),
    async submit(values) {
      await api.wallet.setAutoTopUp.mutate({
        enabled: values.enabled,
        thresholdUsd: parseUsd(values.thresholdUsd),
        amountUsd: parseUsd(values.amountUsd),
        ceilingUsd: parseUsd(values.ceilingUsd),
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
      <p class="text-muted">
        Only what requests spend leads to a charge. If the balance is below the threshold when you
        turn it on, your card is charged once.
      </p>
      <div class="grid gap-4 sm:grid-cols-3">
        <TextField {...form.field("thresholdUsd")} label="When below" {...money} />
        <TextField {...form.field("amountUsd")} label="Add" {...money} />
        <TextField {...form.field("ceilingUsd")} label="At most a month" {...money} />
      </div>
      <SubmitButton form={form} label="Save" pendingLabel="Saving…" />
    </FormFrame>
  );
}
