// "Updated 40 s ago · Refresh": the age of the data, and a button to fetch it again.
import type { QueryObserverResult } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { formatRelative } from "../../lib/format.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { useNow } from "../../ui/figures/use-now.ts";

type UpdatedProps = {
  query: Pick<QueryObserverResult, "data" | "dataUpdatedAt" | "isFetching" | "refetch">;
};

const tickMs = 20_000;

export function Updated(props: UpdatedProps): JSX.Element {
  const now = useNow(tickMs);
  const words = {
    now: "just now",
    ago: (amount: string) => `${amount} ago`,
    ahead: () => "just now",
  };
  const ago = () => formatRelative(new Date(props.query.dataUpdatedAt), now(), words) ?? "";
  return (
    <Show when={props.query.data !== undefined}>
      <span class="text-sm whitespace-nowrap text-muted max-sm:sr-only">Updated {ago()}</span>
      <Button
        size="small"
        variant="ghost"
        pending={props.query.isFetching}
        onClick={() => void props.query.refetch()}
      >
        Refresh
      </Button>
    </Show>
  );
}
