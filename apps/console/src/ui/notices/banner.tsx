// A line across the page or a card with one important message and at most one action.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { Dynamic } from "solid-js/web";
import { describeError } from "../../lib/describe-failure.ts";
import { IconButton } from "../buttons/button.tsx";
import { type Tone, tones } from "../figures/status-pill.tsx";
import { X } from "../icons.ts";

type BannerProps = {
  tone: Tone;
  children: JSX.Element;
  action?: JSX.Element;
  /** Omit it if the banner must stay. */
  onDismiss?: (() => void) | undefined;
  /** Announced immediately: for something that just happened. */
  urgent?: boolean | undefined;
};

export function Banner(props: BannerProps): JSX.Element {
  return (
    <div
      role={props.urgent ? "alert" : "status"}
      class={`flex items-start gap-3 rounded-card px-4 py-3 ${tones[props.tone].class}`}
    >
      <Dynamic
        component={tones[props.tone].icon}
        class="mt-0.5 size-4 shrink-0"
        aria-hidden="true"
      />
      <div class="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-2">
        <div class="min-w-0 flex-1 basis-60">{props.children}</div>
        {props.action}
      </div>
      <Show when={props.onDismiss}>
        {(dismiss) => (
          <IconButton
            label="Dismiss"
            class="-my-1.5 -me-2 text-current"
            onClick={() => dismiss()()}
          >
            <X class="size-4" aria-hidden="true" />
          </IconButton>
        )}
      </Show>
    </div>
  );
}

/** Why something failed; nothing before it did. */
export function ErrorBanner(props: { error: unknown }): JSX.Element {
  return (
    <Show when={props.error}>
      {(error) => (
        <Banner tone="danger" urgent>
          {describeError(error())}
        </Banner>
      )}
    </Show>
  );
}
