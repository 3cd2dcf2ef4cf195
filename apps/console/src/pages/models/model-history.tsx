// The last ninety days of a model as the public status has them: how much was answered each day, and how soon.
import type { JSX } from "solid-js";
import { createMemo, Show } from "solid-js";
import { formatDuration, nextDay } from "../../lib/format.ts";
import { useQuery } from "../../lib/use-query.ts";
import { HistoryBars } from "../../product/status/history-bars.tsx";
import { fetchStatus, type ModelStatus } from "../../product/status/status-document.ts";
import { Chart } from "../../ui/charts/charts.tsx";
import { Card } from "../../ui/layout/card.tsx";

export default function ModelHistory(props: { id: string }): JSX.Element {
  const query = useQuery(() => ({
    queryKey: ["status"],
    queryFn: ({ signal }) => fetchStatus(signal),
  }));
  const from = () => query.data?.from ?? "";
  return (
    <Show when={query.data?.models.find(({ id }) => id === props.id)}>
      {(model) => (
        <Card title="Last 90 days">
          <div class="flex flex-col gap-6">
            <section class="flex flex-col gap-1.5">
              <h3 class="font-medium">Requests answered, per day</h3>
              <HistoryBars from={from()} {...model()} />
            </section>
            <FirstTokens of={model()} from={from()} />
          </div>
        </Card>
      )}
    </Show>
  );
}

function FirstTokens(props: { of: ModelStatus; from: string }): JSX.Element {
  const buckets = createMemo(() => {
    let day = props.from;
    return props.of.firstTokenMs.map((ms) => {
      const at = `${day}T00:00:00.000Z`;
      day = nextDay(day);
      const group = { id: "firstToken", label: "First token", value: String(ms) };
      return { at, groups: ms === null ? [] : [group] };
    });
  });
  const latest = () => props.of.firstTokenMs.findLast((ms) => ms !== null);
  return (
    <Show when={latest()}>
      {(ms) => (
        <Chart
          title="Time to the first token, median per day"
          kind="lines"
          unit="ms"
          size="day"
          timeZone="UTC"
          buckets={buckets()}
          summary={`First token ${formatDuration(ms())} on the last day with streams.`}
          fileName="first-token"
        />
      )}
    </Show>
  );
}
