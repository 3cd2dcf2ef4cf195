// How large the tables are, and requests by month.
import type { JSX } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { Card } from "../../ui/card.tsx";
import { Tokens } from "../../ui/figures.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { type Column, Table } from "../../ui/table.tsx";

type Size = Answers["operator"]["system"]["tables"];
type Sized = Size["tables"][number];
type Partition = Size["partitions"][number];

const columns: readonly Column<Sized>[] = [
  { id: "name", title: "Name", cell: ({ name }) => name, class: "wrap-anywhere" },
  {
    id: "size",
    title: "Size",
    align: "end",
    cell: ({ bytes }) => <span class="figures whitespace-nowrap">{showBytes(bytes)}</span>,
  },
  { id: "rows", title: "Rows", align: "end", cell: ({ rows }) => <Tokens count={rows} inRow /> },
];

const partitionColumns: readonly Column<Partition>[] = [
  ...columns,
  {
    id: "bounds",
    title: "Ids",
    cell: ({ bounds }) => bounds,
    class: "wrap-anywhere text-xs",
    wideOnly: true,
  },
];

export function DatabaseCards(): JSX.Element {
  const query = useAnswer(["operator", "tables"], (call) =>
    api.operator.system.tables.query({}, call),
  );
  return (
    <Loaded query={query} what="the sizes">
      {(size) => (
        <>
          <Card title="Requests by month" flush>
            <Table
              caption="Partitions of requests"
              columns={partitionColumns}
              rows={size().partitions}
              rowKey={({ name }) => name}
            />
          </Card>
          <Card
            title={`Database, ${showBytes(size().bytes)}`}
            description="Sizes include indexes. Rows are estimates."
            flush
          >
            <Table
              caption="Tables by size"
              columns={columns}
              rows={size().tables}
              rowKey={({ name }) => name}
            />
          </Card>
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
