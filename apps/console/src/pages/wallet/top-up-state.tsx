// The state of one payment, in sentences that say whether money moved and what to do next. Every claim
// comes from the server.

import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { Dynamic } from "solid-js/web";
import type { Answers } from "../../lib/api.ts";
import { formatAmount, formatBalance } from "../../lib/format.ts";
import { useConfig, useMay } from "../../lib/session.ts";
import { ButtonLink } from "../../ui/buttons/button.tsx";
import { CopyButton } from "../../ui/buttons/copy-button.tsx";
import { Spinner } from "../../ui/buttons/spinner.tsx";
import { Figure } from "../../ui/figures/figures.tsx";
import { CircleAlert, CircleCheck, CircleSlash, Clock, ExternalLink } from "../../ui/icons.ts";

type TopUp = Answers["wallet"]["topUp"];

type TopUpStateProps = {
  of: TopUp;
  /** No news for a minute. */
  long: boolean;
  canceling: boolean;
  cancelFailed: boolean;
};

export function TopUpState(props: TopUpStateProps): JSX.Element {
  const is = (state: TopUp["state"]) => props.of.state === state;
  return (
    <div class="flex flex-col items-center gap-5 px-2 py-6 text-center">
      <p class="figures text-sm text-muted">
        <Figure>{formatAmount(props.of.amountUsd)}</Figure> top-up
      </p>
      <div role="status" class="flex flex-col items-center gap-3">
        <Outcome {...outcomeOf(props)} />
      </div>
      <WayOn of={props.of} />
      <Show when={is("processing") || (is("pending") && props.long)}>
        <Help id={props.of.id} />
      </Show>
    </div>
  );
}

function outcomeOf({ of, long, canceling, cancelFailed }: TopUpStateProps): OutcomeProps {
  switch (of.state) {
    case "pending":
      if (canceling) return { icon: "spinner", title: "Canceling the payment…" };
      if (long) {
        const body = "If you were charged, your funds will be added automatically.";
        return { icon: "clock", title: "Still confirming", body };
      }
      return {
        icon: "spinner",
        title: "Confirming your payment…",
        body: cancelFailed
          ? "The payment could not be canceled just now. If you did not pay, you are not charged."
          : "You can close this page. We'll email you.",
      };
    case "processing":
      return { icon: "clock", title: "Processing", body: "Bank payments can take up to 5 days." };
    case "paid":
      return {
        icon: "done",
        title: `${formatAmount(of.creditedUsd)} added. Your balance is ${formatBalance(of.balanceUsd)}.`,
      };
    case "canceled":
      return { icon: "none", title: "Payment canceled. You were not charged." };
    case "failed":
      return { icon: "failed", title: describeFailed(of.failureReason) };
    case "expired":
      return {
        icon: "none",
        title: "This payment was not completed in time. You were not charged.",
      };
  }
}

/** Reasons are sentences of the processor, with or without their full stop. */
function describeFailed(reason: string | null): string {
  if (!reason) return "Payment failed. You were not charged.";
  return `Payment failed: ${/[.!?]$/.test(reason) ? reason : `${reason}.`} You were not charged.`;
}

const icons = {
  done: { icon: CircleCheck, class: "bg-success-tint text-success" },
  failed: { icon: CircleAlert, class: "bg-danger-tint text-danger" },
  clock: { icon: Clock, class: "bg-info-tint text-info" },
  none: { icon: CircleSlash, class: "bg-neutral-tint text-muted" },
} as const;

type OutcomeProps = { icon: keyof typeof icons | "spinner"; title: string; body?: string };

function Outcome(props: OutcomeProps): JSX.Element {
  const mark = () => (props.icon === "spinner" ? undefined : icons[props.icon]);
  return (
    <>
      <span
        aria-hidden="true"
        class={`flex size-12 items-center justify-center rounded-full ${mark()?.class ?? "text-muted"}`}
      >
        <Show when={mark()} fallback={<Spinner />}>
          {(known) => <Dynamic component={known().icon} class="size-6" />}
        </Show>
      </span>
      <p class="figures max-w-sm text-lg font-semibold text-balance">{props.title}</p>
      <Show when={props.body}>
        <p class="max-w-sm text-muted">{props.body}</p>
      </Show>
    </>
  );
}

function WayOn(props: { of: TopUp }): JSX.Element {
  const paid = () => props.of.state === "paid";
  const over = () => ["canceled", "failed", "expired"].includes(props.of.state);
  const mayCreate = useMay("keys.change");
  const mayPay = useMay("money.change");
  const first = () => paid() && !props.of.hasKeys && mayCreate();
  return (
    <div class="flex w-full flex-col items-center gap-3">
      <Show when={first()}>
        <p class="text-muted">Next, create an API key to call the API.</p>
      </Show>
      <div class="flex w-full flex-col gap-2 sm:w-auto sm:flex-row-reverse">
        <Show when={first()}>
          <ButtonLink href="/keys?do=create-key" variant="primary">
            Create API Key
          </ButtonLink>
        </Show>
        <Show when={over() && mayPay()}>
          <ButtonLink href="/wallet?do=add-funds" variant="primary">
            Try again
          </ButtonLink>
        </Show>
        <ButtonLink href="/wallet" variant={paid() && !first() ? "primary" : "secondary"}>
          Back to Wallet
        </ButtonLink>
      </div>
      <Show when={paid() && props.of.receiptUrl}>
        {(url) => (
          <a
            href={url()}
            target="_blank"
            rel="noopener noreferrer"
            class="link inline-flex items-center gap-1.5"
          >
            View receipt
            <ExternalLink class="size-4" aria-hidden="true" />
          </a>
        )}
      </Show>
    </div>
  );
}

function Help(props: { id: string }): JSX.Element {
  const config = useConfig();
  const email = () => config.data?.supportEmail ?? "";
  return (
    <div class="flex flex-col items-center gap-1 text-sm text-muted">
      <Show when={email()}>
        {(address) => (
          <a href={`mailto:${address()}`} class="link">
            Need help? Contact {address()} with this reference.
          </a>
        )}
      </Show>
      <span class="inline-flex items-center gap-1">
        <span translate="no" class="font-mono text-xs wrap-anywhere">
          Reference {props.id}
        </span>
        <CopyButton text={props.id} label="Copy reference" iconOnly />
      </span>
    </div>
  );
}
