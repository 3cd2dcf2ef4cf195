// A status as icon, label and color together: color alone never carries the meaning.
import type { JSX } from "solid-js";
import { Dynamic } from "solid-js/web";
import { CircleAlert, CircleCheck, CircleSlash, Info, TriangleAlert } from "../icons.ts";

export type Tone = "success" | "warning" | "danger" | "info" | "neutral";

export const tones = {
  success: { icon: CircleCheck, class: "bg-success-tint text-success" },
  warning: { icon: TriangleAlert, class: "bg-warning-tint text-warning" },
  danger: { icon: CircleAlert, class: "bg-danger-tint text-danger" },
  info: { icon: Info, class: "bg-info-tint text-info" },
  neutral: { icon: CircleSlash, class: "bg-neutral-tint text-muted" },
} as const satisfies Record<Tone, unknown>;

export function StatusPill(props: { tone: Tone; children: JSX.Element }): JSX.Element {
  return (
    <span
      class={`inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap ${tones[props.tone].class}`}
    >
      <Dynamic component={tones[props.tone].icon} class="size-3.5 shrink-0" aria-hidden="true" />
      {props.children}
    </span>
  );
}

/** A plain label: a capability, a flag, a count. */
export function Badge(props: { children: JSX.Element }): JSX.Element {
  return (
    <span class="inline-flex items-center gap-1 rounded-full border border-border px-2 py-0.5 text-xs whitespace-nowrap text-muted">
      {props.children}
    </span>
  );
}
