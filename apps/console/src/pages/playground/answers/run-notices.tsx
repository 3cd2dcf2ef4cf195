// The line under an answer: why it ended early, its statistics, and a link to its log.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { Match, Show, Switch } from "solid-js";
import { formatCost, formatCount, formatDuration, formatSpeed } from "../../../lib/format.ts";
import { AddFundsButton } from "../../../shell/add-funds.tsx";
import { Button } from "../../../ui/buttons/button.tsx";
import { Figure, Money } from "../../../ui/figures/figures.tsx";
import { CircleAlert } from "../../../ui/icons.ts";
import { Reference } from "../../../ui/states/states.tsx";
import type { RunFacts } from "../conversation/conversation.ts";
import { describeRunFailure, type FailureOfProvider } from "./describe-run-failure.ts";

/** First token, speed, tokens and cost, as far as known. */
export function RunFigures(props: { run: RunFacts }): JSX.Element {
  const speed = () => {
    const { usage, firstTokenMs, totalMs } = props.run;
    if (!usage || firstTokenMs === undefined || totalMs === undefined) return "";
    return formatSpeed(usage.completionTokens, totalMs - firstTokenMs);
  };
  return (
    <ul
      aria-label="Response stats"
      // A dot before each; that of the first in a line is cut off.
      class="figures -ms-6 flex flex-wrap items-center gap-y-1 text-sm text-muted [clip-path:inset(-4px_-4px_-4px_1.25rem)] *:relative *:ps-6 *:before:absolute *:before:start-2.5 *:before:content-['·']"
    >
      <Show when={props.run.firstTokenMs}>
        {(ms) => <li>first token {formatDuration(ms())}</li>}
      </Show>
      <Show when={speed()}>
        <li>{speed()}</li>
      </Show>
      <Show when={props.run.usage}>
        {(usage) => (
          <>
            <li>
              <Figure>{formatCount(usage().promptTokens)}</Figure> in /{" "}
              <Figure>{formatCount(usage().completionTokens)}</Figure> out
            </li>
            <Show when={usage().costUsd}>
              {(cost) => (
                <li data-cost={cost()}>
                  <Money usd={cost()} />
                </li>
              )}
            </Show>
          </>
        )}
      </Show>
      <Show when={props.run.generationId}>
        {(id) => (
          <li>
            <A href={`/logs?id=${id()}`} class="link">
              View log
            </A>
          </li>
        )}
      </Show>
    </ul>
  );
}

type EndingNoticeProps = {
  run: RunFacts;
  onContinue: (() => void) | undefined;
  onRetry: (() => void) | undefined;
  onOtherModel: (() => void) | undefined;
};

/** Nothing if the answer ended normally. */
export function EndingNotice(props: EndingNoticeProps): JSX.Element {
  const ending = () => props.run.ending;
  const failure = () => {
    const end = ending();
    return end?.kind === "failed" ? end.failure : undefined;
  };
  const finish = () => {
    const end = ending();
    return end?.kind === "complete" ? end.finishReason : undefined;
  };
  return (
    <Switch>
      <Match when={failure()}>
        {(failed) => (
          <FailureNotice
            failure={failed()}
            partial
            detail={props.run.charge === "known" ? chargedOf(props.run) : ""}
            onRetry={props.onRetry}
            onOtherModel={props.onOtherModel}
          />
        )}
      </Match>
      <Match when={ending()?.kind === "stopped" ? chargeOf(props.run) : cutOff.get(finish())}>
        {(text) => (
          <p class="flex flex-wrap items-center gap-3 text-sm text-muted">
            {text()}
            <Show when={finish() === "length" && props.onContinue}>
              {(go) => (
                <Button size="small" onClick={() => go()()}>
                  Continue
                </Button>
              )}
            </Show>
          </p>
        )}
      </Match>
    </Switch>
  );
}

/** By the reason for which a complete answer ended early. */
const cutOff: ReadonlyMap<string | undefined, string> = new Map([
  ["length", "Reached the max token limit."],
  ["content_filter", "Stopped by the provider's content filter."],
]);

function chargeOf(run: RunFacts): string {
  if (run.generationId === undefined) return "Stopped before the answer began.";
  if (run.charge === "asked") return "Stopped. Checking what was charged…";
  const cost = run.usage?.costUsd;
  if (cost === undefined) return "Stopped. Logs show what was charged.";
  return Number(cost) === 0 ? "Stopped. You were not charged." : `Stopped. ${chargedOf(run)}`;
}

function chargedOf(run: RunFacts): string {
  const cost = run.usage?.costUsd;
  return cost === undefined ? "" : `You were charged ${formatCost(cost)}.`;
}

type FailureNoticeProps = {
  failure: FailureOfProvider;
  partial: boolean;
  detail?: string;
  onRetry: (() => void) | undefined;
  onOtherModel: (() => void) | undefined;
  onAnyProvider?: (() => void) | undefined;
};

/** Why a request failed, and the one next step. */
export function FailureNotice(props: FailureNoticeProps): JSX.Element {
  const told = () => describeRunFailure(props.failure, props.partial);
  const detail = () => [told().detail, props.detail].filter(Boolean).join(" ");
  return (
    <div
      role="alert"
      class="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card bg-danger-tint px-4 py-3 text-danger"
    >
      <div class="flex min-w-0 flex-1 basis-60 items-start gap-3">
        <CircleAlert class="mt-0.5 size-4 shrink-0" aria-hidden="true" />
        <div class="min-w-0 wrap-break-word">
          <p class="font-medium">{told().text}</p>
          <Show when={detail()}>
            <p class="text-sm">{detail()}</p>
          </Show>
          <Reference id={props.failure.requestId} />
        </div>
      </div>
      <Switch>
        <Match when={told().wayOn === "funds"}>
          <AddFundsButton />
        </Match>
        <Match when={told().wayOn === "model"}>
          <Button size="small" onClick={props.onOtherModel}>
            Choose another model
          </Button>
        </Match>
        <Match when={told().wayOn === "provider"}>
          <Button size="small" onClick={props.onAnyProvider}>
            Use any provider
          </Button>
        </Match>
        <Match when={told().wayOn === "retry" && props.onRetry}>
          {(retry) => (
            <Button size="small" onClick={() => retry()()}>
              Retry
            </Button>
          )}
        </Match>
      </Switch>
    </div>
  );
}
