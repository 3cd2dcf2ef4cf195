// Says that a page adds up only the newest requests of its range, and since when.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { formatDateTime } from "../../lib/format.ts";
import { useDisplayTimeZone } from "../../ui/time-zone.tsx";
import { t } from "./texts.ts";

/** Shows nothing where the whole range is added up. */
export function CoverageNote(props: { from: string | null }): JSX.Element {
  const timeZone = useDisplayTimeZone();
  return (
    <Show when={props.from}>
      {(from) => (
        <p class="rounded-card bg-info-tint px-4 py-3 text-sm text-info">
          {t("data.covered", { time: formatDateTime(new Date(from()), timeZone()) })}
        </p>
      )}
    </Show>
  );
}
