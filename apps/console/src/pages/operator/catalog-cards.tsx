// Below the editor of the catalog: what the edited text changes, the texts that were applied, and the prices of models.
import type { JSX } from "solid-js";
import { createSignal, For, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { noData } from "../../lib/format.ts";
import { counted } from "../../lib/plural.ts";
import { useQuery } from "../../lib/use-query.ts";
import { describeUnitPrices } from "../../product/prices/shown-prices.ts";
import { SelectControl } from "../../ui/forms/choices.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { textColumn, timeColumn } from "../../ui/tables/columns.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { TableCard } from "../../ui/tables/table-card.tsx";
import { AskButton } from "./ask.tsx";
import { deskKey, useDesk } from "./use-operator.ts";

type Changes = Answers["operator"]["catalog"]["compare"];

/** What the edited text would change, or its mistakes; `changes` is undefined while it is being checked. */
export function ChangesCard(props: { changes: Changes | undefined }): JSX.Element {
  return (
    <Card title="What it changes">
      <Show when={props.changes} fallback={<p class="text-muted">Checking…</p>}>
        {(changes) => (
          <div class="flex flex-col gap-4" aria-live="polite">
            <For each={listsOf(changes())} fallback={<p>Nothing but the text.</p>}>
              {({ title, lines, tone }) => (
                <div>
                  <h3 class={`font-medium ${tone}`}>{title}</h3>
                  <ul class="mt-1 list-disc ps-5 text-sm">
                    <For each={lines}>{(line) => <li class="wrap-anywhere">{line}</li>}</For>
                  </ul>
                </div>
              )}
            </For>
          </div>
        )}
      </Show>
    </Card>
  );
}

function listsOf({ mistakes, ...changes }: Changes) {
  const mistaken = mistakes.map((mistake) => {
    const line = mistake.line === null ? "" : `Line ${mistake.line}: `;
    return `${line}${describeMistake(mistake)}`;
  });
  return [
    list(counted(mistakes.length, "mistake"), mistaken, "text-danger"),
    list("Routes that sell below cost", changes.belowCost, "text-danger"),
    list("Models that are removed", changes.removed, "text-warning"),
    list("Fields that are not known and have no effect", changes.unknownFields, "text-warning"),
    list("Models that are added", changes.added),
    list("Prices that change", changes.repriced),
    list("Costs that change", changes.recosted),
    list("Routes that change", changes.rerouted),
    list("Limits and abilities that change", changes.limited),
    list(
      "Models without credentials here",
      changes.hidden.map(({ id, reason }) => `${id}: ${reason}`),
    ),
  ].filter(({ lines }) => lines.length > 0);
}

/** A mistake in YAML itself has its line as its path. */
export function describeMistake({ path, message }: Changes["mistakes"][number]): string {
  return path === "" || path.startsWith("line ") ? message : `${path}: ${message}`;
}

function list(title: string, lines: readonly string[], tone = "") {
  return { title, lines, tone };
}

type Applied = Answers["operator"]["catalog"]["show"]["texts"][number];

const appliedColumns: readonly Column<Applied>[] = [
  { id: "id", title: "No.", cell: ({ id }) => id },
  textColumn("by", "By", ({ appliedBy }) => appliedBy),
  textColumn("reason", "Why", ({ reason, isFile }) =>
    isFile ? `${reason} (returned to the files)` : reason,
  ),
  timeColumn("at", "When", ({ appliedAt }) => appliedAt),
];

/** The texts that were applied at the desk, each of which can be applied again. */
export function VersionsCard(props: { texts: readonly Applied[] }): JSX.Element {
  return (
    <TableCard
      title="Applied here"
      caption="Texts that were applied, newest first"
      empty="Nothing was applied here yet."
      columns={appliedColumns}
      rows={props.texts}
      rowKey={({ id }) => String(id)}
      actions={({ id, isFile }) => (
        <Show when={!isFile && id !== props.texts[0]?.id}>
          <AskButton
            verb="catalog.rollback"
            action={() => ({
              title: `Apply text ${id} again?`,
              body: "It replaces what is in force now, on every server.",
              confirmLabel: "Apply again",
              run: ({ reason }) => api.operator.catalog.rollback.mutate({ id, reason }),
            })}
          >
            Apply again
          </AskButton>
        </Show>
      )}
    />
  );
}

type Price = Answers["operator"]["catalog"]["prices"]["prices"][number];

const priceColumns: readonly Column<Price>[] = [
  timeColumn("since", "Since", ({ since }) => since, { absolute: true }),
  { id: "input", title: "Input, USD per million", align: "end", cell: ({ inputUsd }) => inputUsd },
  { id: "cached", title: "Cached input", align: "end", cell: (price) => price.cachedInputUsd },
  { id: "output", title: "Output", align: "end", cell: ({ outputUsd }) => outputUsd },
  {
    id: "units",
    title: "Other units",
    align: "end",
    cell: (price) => describeUnitPrices(price) ?? noData,
  },
];

/** Every price that a model ever had, newest first. */
export function PricesCard(): JSX.Element {
  const models = useDesk("models", api.operator.model.list, () => ({}));
  const ids = () => models.data?.models.map(({ id }) => id) ?? [];
  const [chosen, choose] = createSignal<string>();
  const model = () => chosen() ?? ids()[0] ?? "";
  const query = useQuery(() => ({
    queryKey: [...deskKey, "prices", model()],
    queryFn: ({ signal }) => api.operator.catalog.prices.query({ model: model() }, { signal }),
    enabled: model() !== "",
  }));
  return (
    <Show when={ids().length > 0}>
      <TableCard
        title="Price history"
        controls={
          <SelectControl
            label="Model"
            value={model()}
            choices={ids().map((id) => ({ value: id, label: id }))}
            onChange={choose}
            small
          />
        }
        query={query}
        what="the prices"
        caption={`Prices of ${model()}, newest first`}
        columns={priceColumns}
        rows={({ prices }) => prices}
        rowKey={({ since }) => since}
      />
    </Show>
  );
}
