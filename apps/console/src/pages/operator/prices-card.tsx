// Every price that a model ever had, newest first.
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { useAnswer, useQuery } from "../../lib/use-query.ts";
import { Card } from "../../ui/card.tsx";
import { SelectControl } from "../../ui/choices.tsx";
import { Time } from "../../ui/figures.tsx";
import { LoadedTable } from "../../ui/loaded-table.tsx";
import type { Column } from "../../ui/table.tsx";

type Price = Answers["operator"]["catalog"]["prices"]["prices"][number];

const columns: readonly Column<Price>[] = [
  { id: "since", title: "Since", cell: ({ since }) => <Time at={since} absolute inRow /> },
  { id: "input", title: "Input, USD per million", align: "end", cell: ({ inputUsd }) => inputUsd },
  {
    id: "cached",
    title: "Cached input",
    align: "end",
    cell: ({ cachedInputUsd }) => cachedInputUsd,
  },
  { id: "output", title: "Output", align: "end", cell: ({ outputUsd }) => outputUsd },
];

export function PricesCard(): JSX.Element {
  const models = useAnswer(["operator", "models"], (call) =>
    api.operator.model.list.query({}, call),
  );
  const ids = () => models.data?.models.map(({ id }) => id) ?? [];
  const [chosen, choose] = createSignal<string>();
  const model = () => chosen() ?? ids()[0] ?? "";
  const query = useQuery(() => ({
    queryKey: ["operator", "prices", model()],
    queryFn: ({ signal }) => api.operator.catalog.prices.query({ model: model() }, { signal }),
    enabled: model() !== "",
  }));
  return (
    <Show when={ids().length > 0}>
      <Card
        title="Price history"
        actions={
          <SelectControl
            label="Model"
            value={model()}
            choices={ids().map((id) => ({ value: id, label: id }))}
            onChange={choose}
            small
          />
        }
        flush
      >
        <LoadedTable
          query={query}
          what="the prices"
          caption={`Prices of ${model()}, newest first`}
          columns={columns}
          rows={({ prices }) => prices}
          rowKey={({ since }) => since}
        />
      </Card>
    </Show>
  );
}
