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
import { t } from "./catalog-texts.ts";

type Price = Answers["operator"]["catalog"]["prices"]["prices"][number];

const columns: readonly Column<Price>[] = [
  {
    id: "since",
    title: t("prices.since"),
    cell: ({ since }) => <Time at={since} absolute inRow />,
  },
  { id: "input", title: t("prices.input"), align: "end", cell: ({ inputUsd }) => inputUsd },
  {
    id: "cached",
    title: t("prices.cached"),
    align: "end",
    cell: ({ cachedInputUsd }) => cachedInputUsd,
  },
  { id: "output", title: t("prices.output"), align: "end", cell: ({ outputUsd }) => outputUsd },
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
        title={t("prices.title")}
        actions={
          <SelectControl
            label={t("prices.model")}
            value={model()}
            choices={ids().map((id) => ({ value: id, label: id }))}
            onChange={choose}
            small
          />
        }
        flush
      >
        <Loaded query={query} what={t("prices.what")}>
          {(answer) => (
            <Table
              caption={t("prices.caption", { model: answer().model })}
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
