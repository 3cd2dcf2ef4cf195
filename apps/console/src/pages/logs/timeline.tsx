// The timeline of a request: checked and reserved, each attempt at a provider with its wait and outcome, first token,
// charge. Calls of earlier versions did not record when their attempts began: of these only shares are drawn.
import { compareDecimals } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { formatDuration, formatExactUsd } from "../../lib/format.ts";
import { Bar } from "../../ui/figures/bar.tsx";
import { Time } from "../../ui/figures/figures.tsx";
import { partsOf } from "./time-parts.ts";
import type { LogDetail } from "./use-log-detail.ts";

export type Attempt = LogDetail["attempts"][number];

export function Timeline(props: { of: LogDetail }): JSX.Element {
  const reserved = () => compareDecimals(props.of.heldUsd, "0") > 0;
  return (
    <>
      <Bars of={props.of} />
      <ol class="ms-1.5 flex flex-col gap-3 border-s border-border ps-5">
        <Step title="Received" note={overheadOf(props.of)}>
          <Time at={props.of.at} absolute="millisecond" />
        </Step>
        <Show when={reserved()}>
          <Step
            title="Key and limits checked, cost reserved"
            note={`${formatExactUsd(props.of.heldUsd)} reserved`}
          >
            {formatAfter(props.of.attempts[0]?.startedMs)}
          </Step>
        </Show>
        <For each={props.of.attempts}>
          {(attempt, index) => (
            <Step
              title={`${attempt.provider}, attempt ${index() + 1}: ${outcomeOf(attempt)}`}
              note={noteOf(attempt)}
              failed={attempt.status !== 200}
            >
              {formatAfter(endOf(attempt))}
            </Step>
          )}
        </For>
        <Show when={props.of.firstTokenMs !== null}>
          <Step title="First token">{formatAfter(props.of.firstTokenMs)}</Step>
        </Show>
        <Step
          title={reserved() ? `Ended, ${formatExactUsd(props.of.chargedUsd)} charged` : "Ended"}
        >
          {formatAfter(props.of.totalMs)}
        </Step>
      </ol>
    </>
  );
}

/** Parts of the whole time, each where it was. */
function Bars(props: { of: LogDetail }): JSX.Element {
  const parts = () => partsOf(props.of);
  const shareOf = (ms: number) => ms / (props.of.totalMs ?? 1);
  return (
    <Show when={parts().length > 0}>
      <dl class="mb-4 grid grid-cols-[minmax(0,auto)_minmax(5rem,1fr)_auto] items-center gap-x-3 gap-y-1 text-sm">
        <For each={parts()}>
          {(part) => (
            <>
              <dt class="wrap-anywhere text-muted">{part.title}</dt>
              <dd>
                <Bar
                  class="h-2 w-full"
                  parts={[
                    {
                      from: shareOf(part.fromMs),
                      // A part of a few milliseconds stays visible beside one of a minute.
                      share: Math.max(shareOf(part.ms), 0.005),
                      class: part.failed === true ? "fill-danger" : "fill-brand",
                    },
                  ]}
                />
              </dd>
              <dd class="figures text-end">{formatDuration(part.ms)}</dd>
            </>
          )}
        </For>
      </dl>
    </Show>
  );
}

function overheadOf(detail: LogDetail): string | undefined {
  if (detail.overheadMs === null) return undefined;
  return `Gateway overhead ${formatDuration(detail.overheadMs)}`;
}

/** Since the request was received. */
function formatAfter(ms: number | null | undefined): string {
  return typeof ms === "number" ? `+${formatDuration(ms)}` : "";
}

function endOf({ startedMs, waitedMs }: Attempt): number | undefined {
  return startedMs === undefined || waitedMs === undefined ? undefined : startedMs + waitedMs;
}

export function outcomeOf({ status }: Attempt): string {
  if (status === 0) return "no response";
  return status === 200 ? `answered ${status}` : `failed with ${status}`;
}

/** The error, and how long the attempt was waited for. */
export function noteOf({ error, firstByteMs, waitedMs }: Attempt): string | undefined {
  const waited = waitedMs ?? firstByteMs;
  const wait =
    waited === null
      ? undefined
      : `${error === null ? "first byte after" : "waited"} ${formatDuration(waited)}`;
  return [error, wait].filter(Boolean).join(", ") || undefined;
}

type StepProps = {
  title: string;
  note?: string | undefined;
  failed?: boolean;
  children: JSX.Element;
};

function Step(props: StepProps): JSX.Element {
  return (
    <li class="relative">
      <span
        aria-hidden="true"
        class="absolute -start-[25px] top-1.5 size-2.5 rounded-full border-2 border-raised"
        classList={{ "bg-danger": props.failed === true, "bg-control": props.failed !== true }}
      />
      <div class="flex flex-wrap items-baseline justify-between gap-x-4">
        <span class="font-medium wrap-anywhere">{props.title}</span>
        <span class="figures text-sm">{props.children}</span>
      </div>
      <Show when={props.note}>
        <div class="text-sm wrap-anywhere text-muted">{props.note}</div>
      </Show>
    </li>
  );
}
