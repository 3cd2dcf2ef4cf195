// A part of the chart that is selected leads to its requests in Logs, or becomes the range of the page.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { formatDateTime } from "../../lib/format.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import type { ChartRange } from "../../ui/charts/chart-model.ts";
import type { UsageView } from "./use-usage-view.ts";

type SelectionProps = { range: ChartRange; view: UsageView; onDone: () => void };

export default function Selection(props: SelectionProps): JSX.Element {
  const print = (at: string) => formatDateTime(new Date(at), props.view.timeZone());
  const narrow = () => {
    props.view.set({ range: { name: "custom", ...props.range } });
    props.onDone();
  };
  return (
    <div
      role="status"
      class="flex flex-wrap items-center gap-2 rounded-card border border-border bg-surface px-4 py-2 text-sm"
    >
      <span class="me-auto">
        Selected {print(props.range.from)} to {print(props.range.to)}
      </span>
      <Show when={props.view.logsHref({ range: "", ...props.range })}>
        {(href) => (
          <A href={href()} class={buttonClass({ size: "small", variant: "primary" })}>
            View logs
          </A>
        )}
      </Show>
      <Button size="small" onClick={narrow}>
        Narrow to it
      </Button>
      <Button size="small" variant="ghost" onClick={props.onDone}>
        Cancel
      </Button>
    </div>
  );
}
