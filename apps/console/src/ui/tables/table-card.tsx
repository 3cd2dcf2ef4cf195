// A card with a table in whichever state it is, of a query or of rows at hand.
import type { JSX } from "solid-js";
import { Card } from "../layout/card.tsx";
import { TableStates, type TableStatesProps } from "./table-states.tsx";

type TableCardProps<Data, Row> = Omit<TableStatesProps<Data, Row>, "caption"> & {
  title?: string;
  /** One sentence under the title. */
  description?: JSX.Element;
  /** At the end of the title's row. */
  controls?: JSX.Element;
  /** If the title does not say it alone. */
  caption?: string;
  /** Below the table, such as its dialogs. */
  children?: JSX.Element;
};

export function TableCard<Data, Row>(props: TableCardProps<Data, Row>): JSX.Element {
  return (
    <Card title={props.title} description={props.description} actions={props.controls} flush>
      <TableStates {...props} caption={props.caption ?? props.title ?? ""} />
      {props.children}
    </Card>
  );
}
