// "Updated 40 s ago · Refresh": the age of the data, and a button to fetch it again.
import type { QueryObserverResult } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { formatRelative } from "../../lib/format.ts";
import { t as shared } from "../../lib/texts.ts";
import { Button } from "../../ui/button.tsx";
import { useNow } from "../../ui/use-now.ts";
import { t } from "./texts.ts";

type UpdatedProps = {
  query: Pick<QueryObserverResult, "data" | "dataUpdatedAt" | "isFetching" | "refetch">;
};

const tickMs = 20_000;

export function Updated(props: UpdatedProps): JSX.Element {
  const now = useNow(tickMs);
  const words = {
    now: shared("time.now"),
    ago: (amount: string) => shared("time.ago", { amount }),
    ahead: () => shared("time.now"),
  };
  const ago = () => formatRelative(new Date(props.query.dataUpdatedAt), now(), words) ?? "";
  return (
    <Show when={props.query.data !== undefined}>
      <span class="text-sm whitespace-nowrap text-muted max-sm:sr-only">
        {t("data.updated", { ago: ago() })}
      </span>
      <Button
        size="small"
        variant="ghost"
        pending={props.query.isFetching}
        onClick={() => void props.query.refetch()}
      >
        {shared("action.refresh")}
      </Button>
    </Show>
  );
}
