// Says that a range has no requests, and offers what may show some: fewer filters, or a longer range.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { Button } from "../../ui/button.tsx";
import { ChartNoAxesColumn } from "../../ui/icons.ts";
import { EmptyState } from "../../ui/states.tsx";
import type { UsageView } from "./use-usage-view.ts";

type NoRequestsProps = { view: Pick<UsageView, "filterCount" | "setRange" | "clear"> };

export function NoRequests(props: NoRequestsProps): JSX.Element {
  return (
    <EmptyState
      title="No requests in this range."
      icon={<ChartNoAxesColumn class="size-5" />}
      action={
        <Show
          when={props.view.filterCount() > 0}
          fallback={
            <Button onClick={() => props.view.setRange({ name: "30d" })}>Last 30 days</Button>
          }
        >
          <Button onClick={() => props.view.clear()}>Clear filters</Button>
        </Show>
      }
    />
  );
}
