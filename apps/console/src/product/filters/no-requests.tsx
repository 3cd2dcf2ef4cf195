// Says that a range has no requests, and offers what may show some: fewer filters, or a longer range.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { Button } from "../../ui/buttons/button.tsx";
import { EmptyState } from "../../ui/states/states.tsx";
import type { FilteredView } from "./request-filters.tsx";

export function NoRequests(props: { view: FilteredView; icon: JSX.Element }): JSX.Element {
  const filtered = () => props.view.filterCount() > 0;
  const lengthen = () => props.view.set({ range: { name: "30d" } });
  return (
    <EmptyState
      title={filtered() ? "No requests match." : "No requests in this range."}
      icon={props.icon}
      action={
        <Show when={filtered()} fallback={<Button onClick={lengthen}>Last 30 days</Button>}>
          <Button onClick={() => props.view.clear()}>Clear filters</Button>
        </Show>
      }
    />
  );
}
