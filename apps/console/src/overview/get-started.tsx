// The three steps of a new account, until they are done and it says so. Whoever saw them open keeps
// them until dismissed; whoever has been calling for months never sees them.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createEffect, createSignal, Match, Show, Switch } from "solid-js";
import { FirstCallSnippet } from "../first-call-snippet.tsx";
import { formatBalance, formatCost, formatCount } from "../format.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { Check, CircleCheck } from "../ui/icons.ts";
import { Spinner } from "../ui/spinner.tsx";
import { tokensOf } from "./lists.tsx";
import type { OverviewData } from "./overview-page.tsx";
import { t } from "./texts.ts";

const storageKey = "get-started";

function readSeen(): boolean {
  try {
    return localStorage.getItem(storageKey) !== null;
  } catch {
    return false;
  }
}

function writeSeen(seen: boolean): void {
  try {
    if (seen) localStorage.setItem(storageKey, "seen");
    else localStorage.removeItem(storageKey);
  } catch {
    // Without storage it lasts as long as the page.
  }
}

export function GetStarted(props: { of: OverviewData }): JSX.Element {
  const [seen, setSeen] = createSignal(readSeen());
  const steps = () => props.of.steps;
  const done = () => steps().funded && steps().hasKey && steps().hasRequest;
  createEffect(() => {
    if (done()) return;
    writeSeen(true);
    setSeen(true);
  });
  const dismiss = () => {
    writeSeen(false);
    setSeen(false);
  };
  return (
    <Show when={!done() || seen()}>
      <Card
        title={t("start.title")}
        description={done() ? t("start.done") : t("start.welcome")}
        actions={
          <Show when={done()}>
            <Button size="small" onClick={dismiss}>
              {t("start.dismiss")}
            </Button>
          </Show>
        }
        flush
      >
        <ol aria-label={t("start.steps")} class="flex flex-col divide-y divide-border">
          <Step
            number={1}
            done={steps().funded}
            title={t("start.funds")}
            body={
              steps().funded
                ? t("start.fundsDone", { balance: formatBalance(props.of.wallet.availableUsd) })
                : t("start.fundsBody")
            }
            action={{ href: "/wallet?add=1", label: t("start.funds") }}
            isNext={!steps().funded}
          />
          <Step
            number={2}
            done={steps().hasKey}
            title={t("start.key")}
            body={steps().hasKey ? t("start.keyDone") : t("start.keyBody")}
            action={{ href: "/keys?create=1", label: t("start.keyAction") }}
            isNext={steps().funded && !steps().hasKey}
          />
          <Step
            number={3}
            done={steps().hasRequest}
            title={t("start.request")}
            body={steps().hasRequest ? undefined : t("start.requestBody")}
            isNext={false}
          >
            <FirstRequest of={props.of} />
          </Step>
        </ol>
      </Card>
    </Show>
  );
}

type StepProps = {
  number: number;
  done: boolean;
  title: string;
  body: string | undefined;
  action?: { readonly href: string; readonly label: string };
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
                <span class="sr-only"> ({t("start.isDone")})</span>
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

function FirstRequest(props: { of: OverviewData }): JSX.Element {
  return (
    <>
      <Show when={!props.of.steps.hasRequest}>
        <FirstCallSnippet label={t("start.snippet")} />
      </Show>
      <div role="status" class="text-sm">
        <Arrival of={props.of} />
      </div>
    </>
  );
}

/** What has come so far. */
function Arrival(props: { of: OverviewData }): JSX.Element {
  const newest = () => props.of.lastRequests[0];
  const received = () =>
    props.of.lastRequests.find((row) => row.outcome === "completed") ?? newest();
  return (
    <Switch>
      <Match when={props.of.steps.hasRequest && received()}>
        {(row) => (
          <p class="flex items-start gap-2">
            <CircleCheck class="mt-0.5 size-4 shrink-0 text-success" aria-hidden="true" />
            <span class="figures wrap-anywhere">
              {t("start.received", {
                model: row().model ?? "",
                tokens: formatCount(tokensOf(row())),
                cost: formatCost(row().costUsd),
              })}{" "}
              <A href={`/logs?id=${row().id}`} class="link whitespace-nowrap">
                {t("start.viewLog")}
              </A>
            </span>
          </p>
        )}
      </Match>
      <Match when={!props.of.steps.hasRequest}>
        <p class="flex items-center gap-2 text-muted">
          <Spinner />
          {t("start.waiting")}
        </p>
        <Show when={newest()}>
          {(row) => (
            <p class="mt-1 flex flex-wrap gap-x-2">
              <span class="text-danger">
                {t("start.failed", { code: row().errorCode ?? String(row().status ?? "") })}
              </span>
              <A href={`/logs?id=${row().id}`} class="link">
                {t("start.viewLog")}
              </A>
            </p>
          )}
        </Show>
      </Match>
    </Switch>
  );
}
