// What this month will have cost, below the chart of spend.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { dayOf, formatDay, formatSum } from "../../lib/format.ts";
import { plural } from "../../lib/plural.ts";
import { useQuery } from "../../lib/use-query.ts";
import { Figure } from "../../ui/figures.tsx";
import type { UsageView } from "./use-usage-view.ts";

export default function Forecast(props: { view: UsageView }): JSX.Element {
  const query = useQuery(() => ({
    queryKey: ["usage", "forecast", ...props.view.forecastKey()],
    queryFn: ({ signal }) =>
      api.usage.forecast.query(props.view.forecastInput(new Date()), { signal }),
  }));
  const end = (to: string) => formatDay(dayOf(new Date(Date.parse(to) - 1), props.view.timeZone()));
  return (
    <Show when={query.data}>
      {(forecast) => (
        <p class="px-1 text-sm text-muted" data-forecast="">
          <Show
            when={forecast().expectedUsd}
            fallback={`This month: ${formatSum(forecast().spentUsd)}, nothing in the last 7 days.`}
          >
            {(usd) => (
              <>
                This month: <Figure>{formatSum(forecast().spentUsd)}</Figure> so far.{" "}
                <strong class="font-medium text-text">
                  About <Figure>{formatSum(usd())}</Figure>
                </strong>{" "}
                by {end(forecast().to)} at the pace of the last{" "}
                {plural(forecast().basedOnDays, "day", `${forecast().basedOnDays} days`)}.
              </>
            )}
          </Show>
        </p>
      )}
    </Show>
  );
}
