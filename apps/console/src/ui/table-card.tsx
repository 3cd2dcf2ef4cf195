// A card with the table of a query: skeleton, error with "Try again", a sentence if there are no rows, or the rows.
import type { JSX } from "solid-js";
import { Card } from "./card.tsx";
import { LoadedTable, type LoadedTableProps } from "./loaded-table.tsx";

type TableCardProps<Data, Row> = LoadedTableProps<Data, Row> & {
  title?: string;
  /** One sentence under the title. */
  description?: JSX.Element;
  /** At the end of the title's row. */
  controls?: JSX.Element;
  /** Below the table, such as its dialogs. */
  children?: JSX.Element;
};

export function TableCard<Data, Row>(props: TableCardProps<Data, Row>): JSX.Element {
  return (
    <Card title={props.title} description={props.description} actions={props.controls} flush>
      <LoadedTable {...props} />
      {props.children}
    </Card>
  );
}
