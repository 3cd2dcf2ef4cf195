// The three steps of a new account. Once done they collapse into one line, which stays until dismissed; an
// account that was already set up when this browser first saw it shows none.
import type { JSX } from "solid-js";
import { createEffect, createSignal, createUniqueId, Show } from "solid-js";
import type { Answers } from "../../lib/api.ts";
import { formatBalance } from "../../lib/format.ts";
import { useMay, useWallet } from "../../lib/session.ts";
import { readStored, writeStored } from "../../lib/stored-text.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Check } from "../../ui/icons.ts";
import { FirstCallSnippet } from "../shared/first-call-snippet.tsx";
import { FirstRequest } from "../shared/first-request.tsx";

type OverviewData = Answers["overview"]["read"];

const storageKey = "get-started";

export function GetStarted(props: { of: OverviewData }): JSX.Element {
  const [seen, setSeen] = createSignal(readStored(storageKey) !== undefined);
  const [unfolded, setUnfolded] = createSignal(false);
  const stepsId = createUniqueId();
  const steps = () => props.of.steps;
  const done = () => steps().funded && steps().hasKey && steps().hasRequest;
  createEffect(() => {
    if (done()) return;
    writeStored(storageKey, "seen");
    setSeen(true);
  });
  const isAnswered = () => props.of.lastRequests.some((row) => row.outcome === "completed");
  // A failure that was cured since is not repeated.
  const rows = () => (props.of.steps.hasRequest || !props.of.isCured ? props.of.lastRequests : []);
  const dismiss = () => {
    writeStored(storageKey, undefined);
    setSeen(false);
  };
  return (
    <Show when={!done() || seen()}>
      <Card
        title="Get started"
        description={done() ? "You're all set." : "Welcome. Three steps to your first answer."}
        actions={
          <Show when={done()}>
            <div class="flex gap-1">
              <Button
                size="small"
                variant="ghost"
                aria-expanded={unfolded()}
                aria-controls={stepsId}
                onClick={() => setUnfolded((shown) => !shown)}
              >
                {unfolded() ? "Hide steps" : "Show steps"}
              </Button>
              <Button size="small" onClick={dismiss}>
                Dismiss
              </Button>
            </div>
          </Show>
        }
        flush
      >
        <div id={stepsId}>
          <Show when={!done() || unfolded()}>
            <Steps of={props.of} />
          </Show>
        </div>
        <Show when={!done() || isAnswered()}>
          <div role="status" class="px-5 py-4 text-sm">
            <FirstRequest rows={rows()} />
          </div>
        </Show>
      </Card>
    </Show>
  );
}

function Steps(props: { of: OverviewData }): JSX.Element {
  const wallet = useWallet();
  const mayPay = useMay("money.change");
  const steps = () => props.of.steps;
  const balance = () => wallet.data && formatBalance(wallet.data.balanceUsd);
  const fundsDone = () => {
    const known = balance();
    return known === undefined ? undefined : `Your balance is ${known}.`;
  };
  return (
    <ol
      aria-label="Steps to your first answer"
      class="flex flex-col divide-y divide-border border-b border-border"
    >
      <Step
        number={1}
        done={steps().funded}
        title="Add funds"
        body={steps().funded ? fundsDone() : "Prepaid. No subscription."}
        action={mayPay() ? { href: "/wallet?do=add-funds", label: "Add funds" } : undefined}
        isNext={!steps().funded}
      />
      <Step
        number={2}
        done={steps().hasKey}
        title="Create an API key"
        body={steps().hasKey ? "You have a key." : "Your program sends it with every request."}
        action={{ href: "/keys?do=create-key", label: "Create API Key" }}
        isNext={steps().funded && !steps().hasKey}
      />
      <Step
        number={3}
        done={steps().hasRequest}
        title="Send your first request"
        body={steps().hasRequest ? undefined : "Replace $API_KEY with your key and run it."}
        isNext={false}
      >
        <Show when={!steps().hasRequest}>
          <FirstCallSnippet label="First request" />
        </Show>
      </Step>
    </ol>
  );
}

type StepProps = {
  number: number;
  done: boolean;
  title: string;
  body: string | undefined;
  action?: { readonly href: string; readonly label: string } | undefined;
  isNext: boolean;
  children?: JSX.Element;
};

function Step(props: StepProps): JSX.Element {
  return (
    <li class="flex gap-4 px-5 py-4">
      <span
        aria-hidden="true"
        class="figures flex size-7 shrink-0 items-center justify-center rounded-full text-sm font-medium"
        classList={{
          "bg-success-tint text-success": props.done,
          "border border-control text-muted": !props.done,
        }}
      >
        <Show when={props.done} fallback={props.number}>
          <Check class="size-4" />
        </Show>
      </span>
      <div class="flex min-w-0 flex-1 flex-col gap-3">
        <div class="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <div class="min-w-0">
            <h3 class="font-medium">
              {props.title}
              <Show when={props.done}>
                <span class="sr-only"> (Done)</span>
              </Show>
            </h3>
            <Show when={props.body}>
              <p class="mt-0.5 text-sm text-muted">{props.body}</p>
            </Show>
          </div>
          <Show when={!props.done && props.action}>
            {(action) => (
              <ButtonLink
                href={action().href}
                size="small"
                variant={props.isNext ? "primary" : "secondary"}
              >
                {action().label}
              </ButtonLink>
            )}
          </Show>
        </div>
        {props.children}
      </div>
    </li>
  );
}
