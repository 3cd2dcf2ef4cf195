// Every price that a model ever had, newest first.
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { useQuery } from "../../lib/use-query.ts";
import { Card } from "../../ui/card.tsx";
import { SelectControl } from "../../ui/choices.tsx";
import { Time } from "../../ui/figures.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { type Column, Table } from "../../ui/table.tsx";

type Price = Answers["operator"]["catalog"]["prices"]["prices"][number];

const columns: readonly Column<Price>[] = [
  {
    id: "since",
    title: "Since",
    cell: ({ since }) => <Time at={since} absolute inRow />,
  },
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
  const models = useQuery(() => ({
    queryKey: ["operator", "models"],
    queryFn: ({ signal }) => api.operator.model.list.query({}, { signal }),
  }));
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
        <Loaded query={query} what="the prices">
          {(answer) => (
            <Table
              caption={`Prices of ${answer().model}, newest first`}
              columns={columns}
              rows={answer().prices}
              rowKey={({ since }) => since}
            />
          )}
        </Loaded>
      </Card>
    </Show>
  );
}
