// A card that is one table of rows at hand. Rows of a query: `TableCard`.
import type { JSX } from "solid-js";
import { Card } from "./card.tsx";
import { Table } from "./table.tsx";
import type { TableProps } from "./table-row.tsx";

type TitledTableProps<Row> = Omit<TableProps<Row>, "caption"> & {
  title: string;
  /** One sentence under the title. */
  description?: JSX.Element;
  /** At the end of the title's row. */
  controls?: JSX.Element;
  /** If the title does not say it alone. */
  caption?: string;
};

export function TitledTable<Row>(props: TitledTableProps<Row>): JSX.Element {
  return (
    <Card title={props.title} description={props.description} actions={props.controls} flush>
      <Table {...props} caption={props.caption ?? props.title} />
    </Card>
  );
}
