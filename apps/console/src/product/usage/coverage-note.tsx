// Says that a page adds up only the newest requests of its range, and since when.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { formatDateTime } from "../../lib/format.ts";
import { useDisplayTimeZone } from "../../ui/figures/time-zone.tsx";

/** Shows nothing where the whole range is added up. */
export function CoverageNote(props: { from: string | null }): JSX.Element {
  const timeZone = useDisplayTimeZone();
  return (
    <Show when={props.from}>
      {(from) => (
        <p class="rounded-card bg-info-tint px-4 py-3 text-sm text-info">
          There are more requests than one page adds up. Sums and charts here cover those since{" "}
          {formatDateTime(new Date(from()), timeZone())}; the Wallet has every charge.
        </p>
      )}
    </Show>
  );
}
