// Choosing how much to add. One attempt id per open form and amount: however often it is sent, it creates
// one checkout. Nothing is credited here; the payment processor notifies the server.
import type { JSX } from "solid-js";
import { Match, Show, Switch } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { formatAmount, formatShortAmount } from "../../lib/format.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { useConfig } from "../../lib/session.ts";
import { parseUsd } from "../../lib/typed-usd.ts";
import { Checkbox, RadioCards } from "../../ui/forms/choices.tsx";
import { createForm } from "../../ui/forms/create-form.ts";
import { FormFrame, SubmitButton } from "../../ui/forms/form.tsx";
import { TextField } from "../../ui/forms/text-field.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";
import { checkAmount } from "./check-amount.ts";
import { isCheckout, openCheckout } from "./open-checkout.ts";

type Config = Answers["config"]["public"];

const other = "other";
const usualUsd = "25";

export function AddFundsCard(): JSX.Element {
  const config = useConfig();
  const canPay = () => config.data !== undefined && config.data.topUpMode !== "none";
  return (
    <Card
      title="Add funds"
      description={
        canPay()
          ? "Prepaid. Nothing is charged automatically unless you turn on automatic top-up."
          : undefined
      }
    >
      <Loaded query={config} what="the payment options" skeleton={<FormSkeleton />}>
        {(data) => (
          <Show when={data().topUpMode !== "none"} fallback={<NotHere />}>
            <AddFundsForm config={data()} />
          </Show>
        )}
      </Loaded>
    </Card>
  );
}

function FormSkeleton(): JSX.Element {
  return (
    <div class="flex flex-col gap-5">
      <Skeleton class="h-11 w-full" />
      <Skeleton class="h-11 w-full" />
      <Skeleton class="h-9 w-44" />
    </div>
  );
}

function NotHere(): JSX.Element {
  return (
    <div class="flex flex-col gap-1">
      <p>Funds cannot be added on this server yet.</p>
      <p class="text-sm text-muted">Operators: set STRIPE_SECRET_KEY and restart.</p>
    </div>
  );
}

/** Sends an attempt; one that was paid or expired is replaced by a new one. */
function createAttempts(): (amountUsd: string, savesCard: boolean) => Promise<string> {
  let attempt = { id: crypto.randomUUID(), amountUsd: "", savesCard: false };
  const send = async () => {
    const { id: attemptId, ...rest } = attempt;
    const input = { ...rest, attemptId };
    return (await api.wallet.createTopUp.mutate(input)).checkoutUrl;
  };
  return async (amountUsd, savesCard) => {
    const renew = () => {
      attempt = { id: crypto.randomUUID(), amountUsd, savesCard };
    };
    if (attempt.amountUsd !== amountUsd || attempt.savesCard !== savesCard) renew();
    try {
      return await send();
    } catch (error) {
      if (readFailure(error).code !== "conflict") throw error;
      renew();
      return send();
    }
  };
}

function AddFundsForm(props: { config: Config }): JSX.Element {
  const { topUpPresetsUsd: presets, minTopUpUsd, maxTopUpUsd, topUpMode } = props.config;
  const bounds = { minUsd: minTopUpUsd, maxUsd: maxTopUpUsd };
  const usual = presets.includes(usualUsd) ? usualUsd : (presets[0] ?? other);
  const checkoutOf = createAttempts();
  const form = createForm({
    initial: { choice: usual, amountUsd: "", savesCard: false },
    draft: "add-funds",
    validate: ({ choice, amountUsd }) => ({
      amountUsd: choice === other ? checkAmount(amountUsd, bounds) : undefined,
    }),
    async submit(values) {
      const address = await checkoutOf(chosenOf(values), values.savesCard);
      if (!isCheckout(address)) throw new Error("the payment page has no web address");
      await openCheckout(address);
    },
  });
  const amount = () => chosenOf(form.values);
  const isFine = () => checkAmount(amount(), bounds) === undefined;
  return (
    <FormFrame form={form} mayBeLost>
      <AmountFields form={form} presets={presets} bounds={bounds} />
      <Checkbox
        label="Save this card for automatic top-ups"
        checked={form.values.savesCard}
        onChange={(checked) => form.set("savesCard", checked)}
      />
      <dl class="figures grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 border-t border-border pt-4">
        <dt class="text-muted">You pay</dt>
        <dd translate="no" class="text-end font-medium">
          {isFine() ? formatAmount(amount()) : "—"}
        </dd>
        <dt class="text-muted">You receive</dt>
        <dd translate="no" class="text-end font-medium">
          {isFine() ? formatAmount(amount()) : "—"}
        </dd>
      </dl>
      <div class="flex flex-col gap-2">
        <SubmitButton
          form={form}
          label="Continue to payment"
          pendingLabel="Opening secure checkout…"
          wide
        />
        <Switch>
          <Match when={topUpMode === "sandbox"}>
            <p class="text-sm text-warning">
              This is a development server: the next page is a sandbox, and no real money moves.
            </p>
          </Match>
          <Match when={topUpMode === "stripe"}>
            <p class="text-sm text-muted">Secure checkout by Stripe</p>
          </Match>
        </Switch>
      </div>
    </FormFrame>
  );
}

type AmountFieldsProps = {
  form: ReturnType<typeof createForm<{ choice: string; amountUsd: string; savesCard: boolean }>>;
  presets: readonly string[];
  bounds: { readonly minUsd: string; readonly maxUsd: string };
};

function AmountFields(props: AmountFieldsProps): JSX.Element {
  const { form } = props;
  const choices = () => [
    ...props.presets.map((usd) => ({ value: usd, label: formatShortAmount(usd) })),
    { value: other, label: "Other" },
  ];
  return (
    <div class="flex flex-col gap-4">
      <RadioCards
        legend="Amount"
        name="choice"
        value={form.values.choice}
        onChange={(choice) => form.set("choice", choice)}
        choices={choices()}
        error={form.values.choice === other ? undefined : form.errors.amountUsd}
      />
      <Show when={form.values.choice === other}>
        <TextField
          {...form.field("amountUsd")}
          label="Other amount"
          hint={`From ${formatAmount(props.bounds.minUsd)} to ${formatAmount(props.bounds.maxUsd)}.`}
          prefix="$"
          inputmode="decimal"
          autocomplete="off"
        />
      </Show>
    </div>
  );
}

function chosenOf({ choice, amountUsd }: { choice: string; amountUsd: string }): string {
  return choice === other ? parseUsd(amountUsd) : choice;
}
