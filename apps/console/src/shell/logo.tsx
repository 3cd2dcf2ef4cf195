// The mark of the product and its name.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { useProductName } from "../lib/session.ts";

type LogoProps = {
  hideName?: boolean | undefined;
  /** The name is hidden on the smallest screens. */
  tight?: boolean | undefined;
};

export function Logo(props: LogoProps): JSX.Element {
  const name = useProductName();
  return (
    <span class="inline-flex items-center gap-2.5 font-semibold tracking-tight">
      <svg viewBox="0 0 32 32" class="size-7 shrink-0" aria-hidden="true" data-fill>
        <rect width="32" height="32" rx="7" class="fill-brand" />
        <path
          d="M8 10h16M16 10v14"
          class="stroke-on-brand"
          stroke-width="3.2"
          stroke-linecap="round"
        />
        <circle cx="16" cy="10" r="3.4" class="fill-on-brand" />
      </svg>
      <Show when={!props.hideName} fallback={<span class="sr-only">{name()}</span>}>
        <span
          class="truncate text-lg"
          classList={{ "max-[22.5rem]:sr-only": props.tight === true }}
        >
          {name()}
        </span>
      </Show>
    </span>
  );
}
