// What the installation stores and how it is set up: sizes of tables, requests by month, optional features, and the
// configuration in force, without secrets.
import type { JSX } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { Loaded } from "../../ui/states/loaded.tsx";
import { codeColumn, countColumn, pillColumn, textColumn } from "../../ui/tables/columns.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { TableCard } from "../../ui/tables/table-card.tsx";
import { useDesk } from "./use-operator.ts";

type Size = Answers["operator"]["system"]["tables"];
type Sized = Size["tables"][number];
type Partition = Size["partitions"][number];

const sizeColumns: readonly Column<Sized>[] = [
  textColumn("name", "Name", ({ name }) => name),
  {
    id: "size",
    title: "Size",
    align: "end",
    cell: ({ bytes }) => <span class="figures whitespace-nowrap">{showBytes(bytes)}</span>,
  },
  countColumn("rows", "Rows", ({ rows }) => rows),
];

const partitionColumns: readonly Column<Partition>[] = [
  ...sizeColumns,
  textColumn("bounds", "Ids", ({ bounds }) => bounds, {
    class: "wrap-anywhere text-xs",
    wideOnly: true,
  }),
];

export function DatabaseCards(): JSX.Element {
  const query = useDesk("tables", api.operator.system.tables, () => ({}));
  return (
    <Loaded query={query} what="the sizes">
      {(size) => (
        <>
          <TableCard
            title="Requests by month"
            caption="Partitions of requests"
            columns={partitionColumns}
            rows={size().partitions}
            rowKey={({ name }) => name}
          />
          <TableCard
            title={`Database, ${showBytes(size().bytes)}`}
            description="Sizes include indexes. Rows are estimates."
            caption="Tables by size"
            columns={sizeColumns}
            rows={size().tables}
            rowKey={({ name }) => name}
          />
        </>
      )}
    </Loaded>
  );
}

const units = ["kB", "MB", "GB", "TB"] as const;
const step = 1_000;

/** Three digits or so, in the units of drives. */
function showBytes(bytes: number): string {
  let amount = bytes / step;
  for (const unit of units) {
    if (amount < step || unit === "TB") return `${amount.toFixed(amount < 10 ? 1 : 0)} ${unit}`;
    amount /= step;
  }
  return "";
}

type Settings = Answers["operator"]["system"]["settings"];

const on = { tone: "success", name: "On" } as const;
const off = { tone: "neutral", name: "Off" } as const;

const featureColumns: readonly Column<Settings["features"][number]>[] = [
  { id: "name", title: "Feature", cell: ({ name }) => name },
  pillColumn("on", "State", ({ isOn }) => (isOn ? on : off)),
  textColumn("detail", "How", ({ detail }) => detail),
];

const settingColumns: readonly Column<Settings["settings"][number]>[] = [
  codeColumn("name", "Variable", ({ name }) => name),
  textColumn("value", "Value", ({ value }) => value || <span class="text-muted">not set</span>),
];

export function SettingsCards(): JSX.Element {
  const query = useDesk("settings", api.operator.system.settings, () => ({}));
  return (
    <Loaded query={query} what="the configuration">
      {(answer) => (
        <>
          <TableCard
            title="Features"
            caption="Optional features"
            columns={featureColumns}
            rows={answer().features}
            rowKey={({ name }) => name}
          />
          <TableCard
            title="Configuration in force"
            description={`Of the process that started last, version ${answer().version}. Secrets are not shown.`}
            columns={settingColumns}
            rows={answer().settings}
            rowKey={({ name }) => name}
          />
        </>
      )}
    </Loaded>
  );
}
