// "Updated 40 s ago · Refresh": how old what is shown is, and a way to ask again.
import type { JSX } from "solid-js";
import { formatRelative } from "../../lib/format.ts";
import { t as shared } from "../../lib/texts.ts";
import { Button } from "../../ui/button.tsx";
import { useNow } from "../../ui/use-now.ts";
import { t } from "./texts.ts";

type UpdatedProps = { at: number; fetching: boolean; onRefresh: () => void };

const tickMs = 20_000;

export function Updated(props: UpdatedProps): JSX.Element {
  const now = useNow(tickMs);
  const words = {
    now: shared("time.now"),
    ago: (amount: string) => shared("time.ago", { amount }),
    ahead: () => shared("time.now"),
  };
  const ago = () => formatRelative(new Date(props.at), now(), words) ?? "";
  return (
    <>
      <span class="text-sm whitespace-nowrap text-muted max-sm:sr-only">
        {t("data.updated", { ago: ago() })}
      </span>
      <Button size="small" variant="ghost" pending={props.fetching} onClick={props.onRefresh}>
        {shared("action.refresh")}
      </Button>
    </>
  );
}
