// The three steps of a new account. Once done they collapse into one line, which stays until dismissed; an
// account that was already set up when this browser first saw it shows none.
import type { JSX } from "solid-js";
import { createEffect, createSignal, createUniqueId, Index, Show } from "solid-js";
import type { Answers } from "../../lib/api.ts";
import { formatBalance } from "../../lib/format.ts";
import { useMay, useWallet } from "../../lib/session.ts";
import { readStored, writeStored } from "../../lib/stored-text.ts";
import { FirstCallSnippet } from "../../product/connect/first-call-snippet.tsx";
import { FirstRequest } from "../../product/connect/first-request.tsx";
import { whoAddsFunds } from "../../shell/add-funds.tsx";
import { Button, ButtonLink } from "../../ui/buttons/button.tsx";
import { Check } from "../../ui/icons.ts";
import { Card } from "../../ui/layout/card.tsx";

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
  // The first one is among the last ones while there are few.
  const isAnswered = () =>
    !props.of.hasOlderRequests && props.of.lastRequests.some((row) => row.outcome === "completed");
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
            <FirstRequest rows={rows()} hasOlder={props.of.hasOlderRequests} />
          </div>
        </Show>
      </Card>
    </Show>
  );
}

type Action = { readonly href: string; readonly label: string };
type Step = {
  readonly title: string;
  readonly done: boolean;
  readonly body: string | undefined;
  readonly action?: Action | undefined;
};

function Steps(props: { of: OverviewData }): JSX.Element {
  const wallet = useWallet();
  const mayPay = useMay("money.change");
  const list = (): readonly Step[] => {
    const { funded, hasKey, hasRequest } = props.of.steps;
    const balance = wallet.data && `Your balance is ${formatBalance(wallet.data.balanceUsd)}.`;
    return [
      {
        title: "Add funds",
        done: funded,
        body: funded ? balance : mayPay() ? "Prepaid. No subscription." : whoAddsFunds,
        action: mayPay() ? { href: "/wallet?do=add-funds", label: "Add funds" } : undefined,
      },
      {
        title: "Create an API key",
        done: hasKey,
        body: hasKey ? "You have a key." : "Your program sends it with every request.",
        action: { href: "/keys?do=create-key", label: "Create API Key" },
      },
      {
        title: "Send your first request",
        done: hasRequest,
        body: hasRequest ? undefined : "Replace $API_KEY with your key and run it.",
      },
    ];
  };
  /** Its button is the prominent one. */
  const next = () => list().findIndex(({ done }) => !done);
  return (
    <div class="border-b border-border">
      <ol aria-label="Steps to your first answer" class="flex flex-col gap-4 px-5 py-4">
        <Index each={list()}>
          {(step, at) => <StepRow of={step()} number={at + 1} isNext={at === next()} />}
        </Index>
      </ol>
      <Show when={!props.of.steps.hasRequest}>
        <div class="px-5 pb-4">
          <FirstCallSnippet label="First request" />
        </div>
      </Show>
    </div>
  );
}

function StepRow(props: { of: Step; number: number; isNext: boolean }): JSX.Element {
  return (
    <li class="flex flex-wrap items-center gap-x-4 gap-y-2">
      <span
        aria-hidden="true"
        class="figures flex size-7 items-center justify-center rounded-full text-sm font-medium"
        classList={{
          "bg-success-tint text-success": props.of.done,
          "border border-control text-muted": !props.of.done,
        }}
      >
        <Show when={props.of.done} fallback={props.number}>
          <Check class="size-4" />
        </Show>
      </span>
      <div class="min-w-0 flex-1">
        <h3 class="font-medium">
          {props.of.title}
          <Show when={props.of.done}>
            <span class="sr-only"> (Done)</span>
          </Show>
        </h3>
        <p class="mt-0.5 text-sm text-muted empty:hidden">{props.of.body}</p>
      </div>
      <Show when={!props.of.done && props.of.action}>
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
    </li>
  );
}
