// The timeline of a request: how its time was divided, then received, each attempt at a provider, first token, end.
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import type { Answers } from "../../lib/api.ts";
import { formatDuration } from "../../lib/format.ts";
import { Time } from "../../ui/figures.tsx";

type LogDetail = Answers["logs"]["detail"];

type Attempt = LogDetail["attempts"][number];

export function Timeline(props: { of: LogDetail }): JSX.Element {
  return (
    <>
      <Shares of={props.of} />
      <ol class="ms-1.5 flex flex-col gap-3 border-s border-border ps-5">
        <Step title="Received" note={overheadOf(props.of)}>
          <Time at={props.of.at} absolute="millisecond" />
        </Step>
        <For each={props.of.attempts}>
          {(attempt, index) => (
            <Step
              title={`${attempt.provider}, attempt ${index() + 1}`}
              note={noteOf(attempt)}
              failed={attempt.status !== 200}
            >
              {resultOf(attempt)}
            </Step>
          )}
        </For>
        <Show when={props.of.firstTokenMs !== null}>
          <Step title="First token">{formatDuration(props.of.firstTokenMs)}</Step>
        </Show>
        <Step title="Ended">{formatDuration(props.of.totalMs)}</Step>
      </ol>
    </>
  );
}

type Part = { readonly title: string; readonly ms: number };

/** Shares of the whole time, which are not one after the other: the gateway also works between attempts. */
function partsOf({ overheadMs, firstTokenMs, totalMs, streamed }: LogDetail): readonly Part[] {
  if (totalMs === null || overheadMs === null) return [];
  const gatewayMs = Math.min(overheadMs, totalMs);
  // A whole answer has no first token of its own.
  const firstMs = streamed && firstTokenMs !== null ? Math.max(firstTokenMs, gatewayMs) : totalMs;
  const waitedMs = Math.min(firstMs, totalMs) - gatewayMs;
  const isStream = firstMs < totalMs;
  return [
    { title: "Gateway", ms: gatewayMs },
    { title: isStream ? "Provider, first token" : "Provider", ms: waitedMs },
    { title: "Provider, rest of the answer", ms: totalMs - gatewayMs - waitedMs },
  ].filter(({ ms }) => ms > 0);
}

function Shares(props: { of: LogDetail }): JSX.Element {
  const parts = () => partsOf(props.of);
  return (
    <Show when={parts().length > 0}>
      <dl class="mb-4 grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 text-sm">
        <For each={parts()}>
          {(part) => (
            <>
              <dt class="text-muted">{part.title}</dt>
              <dd>
                <svg
                  aria-hidden="true"
                  class="h-2 w-full rounded-full"
                  viewBox="0 0 100 6"
                  preserveAspectRatio="none"
                >
                  <rect width="100" height="6" class="fill-neutral-tint" />
                  <rect
                    width={(part.ms / (props.of.totalMs ?? 1)) * 100}
                    height="6"
                    data-fill=""
                    class="fill-brand"
                  />
                </svg>
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

function resultOf(attempt: Attempt): string {
  if (attempt.status === 0) return "No response";
  const status = attempt.status;
  return status === 200 ? `Answered ${status}` : `Failed with ${status}`;
}

function noteOf(attempt: Attempt): string | undefined {
  if (attempt.error !== null) return attempt.error;
  if (attempt.firstByteMs === null) return undefined;
  return `first byte after ${formatDuration(attempt.firstByteMs)}`;
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
        <span class="font-medium">{props.title}</span>
        <span class="figures text-sm">{props.children}</span>
      </div>
      <Show when={props.note}>
        <div class="text-sm wrap-anywhere text-muted">{props.note}</div>
      </Show>
    </li>
  );
}
