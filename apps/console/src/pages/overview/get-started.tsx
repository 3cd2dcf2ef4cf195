// The three steps of a new account. Once done they collapse into one line, which stays until dismissed; an
// account that was already set up when this browser first saw it shows none.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createEffect, createSignal, createUniqueId, Match, Show, Switch } from "solid-js";
import type { Answers } from "../../lib/api.ts";
import { formatBalance, formatCost, formatCount } from "../../lib/format.ts";
import { plural } from "../../lib/plural.ts";
import { useMay, useWallet } from "../../lib/session.ts";
import { readStored, writeStored } from "../../lib/stored-text.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Check, CircleAlert, CircleCheck } from "../../ui/icons.ts";
import { Spinner } from "../../ui/spinner.tsx";
import { explainError } from "../shared/explain-error.ts";
import { FirstCallSnippet } from "../shared/first-call-snippet.tsx";
import { tokensOf } from "./lists.tsx";

type OverviewData = Answers["overview"]["read"];

type LogRow = OverviewData["lastRequests"][number];

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
        <div role="status" class="px-5 py-4 text-sm">
          <Arrival of={props.of} />
        </div>
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
        action={mayPay() ? { href: "/wallet?add=1", label: "Add funds" } : undefined}
        isNext={!steps().funded}
      />
      <Step
        number={2}
        done={steps().hasKey}
        title="Create an API key"
        body={steps().hasKey ? "You have a key." : "Your program sends it with every request."}
        action={{ href: "/keys?create=1", label: "Create API Key" }}
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

/** The state of the first request: received, failed with its reason, or still waiting. */
function Arrival(props: { of: OverviewData }): JSX.Element {
  const newest = () => props.of.lastRequests[0];
  const answered = () =>
    props.of.lastRequests.find((row) => row.outcome === "completed") ?? newest();
  return (
    <Switch fallback={<Waiting />}>
      <Match when={props.of.steps.hasRequest && answered()}>
        {(row) => <Received of={row()} />}
      </Match>
      <Match when={!props.of.steps.hasRequest && !props.of.isCured && newest()}>
        {(row) => <Failed of={row()} />}
      </Match>
    </Switch>
  );
}

function Waiting(): JSX.Element {
  return (
    <p class="flex items-center gap-2 text-muted">
      <Spinner />
      Waiting for your first request…
    </p>
  );
}

function Received(props: { of: LogRow }): JSX.Element {
  return (
    <p class="flex items-start gap-2">
      <CircleCheck class="mt-0.5 size-4 shrink-0 text-success" aria-hidden="true" />
      <span class="figures wrap-anywhere">
        {plural(
          tokensOf(props.of),
          `Received: ${props.of.model ?? ""}, ${formatCount(tokensOf(props.of))} token, ${formatCost(props.of.costUsd)}`,
          `Received: ${props.of.model ?? ""}, ${formatCount(tokensOf(props.of))} tokens, ${formatCost(props.of.costUsd)}`,
        )}{" "}
        <ViewLog of={props.of} />
      </span>
    </p>
  );
}

/** Where the cause can be fixed; the log has the details. */
const remedies: Readonly<Record<string, { readonly href: string; readonly label: string }>> = {
  insufficient_quota: { href: "/wallet?add=1", label: "Add funds" },
  model_not_found: { href: "/models", label: "Browse models" },
  key_limit_reached: { href: "/keys", label: "Check your API keys" },
  key_disabled: { href: "/keys", label: "Check your API keys" },
  key_expired: { href: "/keys", label: "Check your API keys" },
  model_not_allowed: { href: "/keys", label: "Check your API keys" },
  address_not_allowed: { href: "/keys", label: "Check your API keys" },
  guardrail_blocked: { href: "/keys", label: "Check your API keys" },
};

function Failed(props: { of: LogRow }): JSX.Element {
  const code = () => props.of.errorCode ?? String(props.of.status);
  return (
    <div class="flex items-start gap-2">
      <CircleAlert class="mt-0.5 size-4 shrink-0 text-danger" aria-hidden="true" />
      <div class="flex min-w-0 flex-col gap-1 wrap-anywhere">
        <p class="font-medium">
          Your request arrived and failed: {props.of.status}, {code()}
        </p>
        <p>{explainError(code())}</p>
        <p class="flex flex-wrap gap-x-4 gap-y-1">
          <Show when={remedies[code()]}>
            {(remedy) => (
              <A href={remedy().href} class="link">
                {remedy().label}
              </A>
            )}
          </Show>
          <ViewLog of={props.of} />
        </p>
        <p class="text-muted">
          You can leave this page open: your next request appears here automatically.
        </p>
      </div>
    </div>
  );
}

function ViewLog(props: { of: LogRow }): JSX.Element {
  return (
    <A href={`/logs?id=${props.of.id}`} class="link whitespace-nowrap">
      View log
    </A>
  );
}
