// The texts of the catalogue that were applied at the desk, each of which can be applied again.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Time } from "../../ui/figures.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useAsk } from "./ask.tsx";
import type { AskedAction } from "./reason-dialog.tsx";
import { useOperatorMay } from "./use-operator.ts";

type Applied = Answers["operator"]["catalog"]["show"]["texts"][number];

const columns: readonly Column<Applied>[] = [
  { id: "id", title: "No.", cell: ({ id }) => id },
  { id: "by", title: "By", cell: ({ appliedBy }) => appliedBy, class: "wrap-anywhere" },
  {
    id: "reason",
    title: "Why",
    cell: ({ reason, isFile }) => (isFile ? `${reason} (${"returned to the files"})` : reason),
    class: "wrap-anywhere",
  },
  { id: "at", title: "When", cell: ({ appliedAt }) => <Time at={appliedAt} inRow /> },
];

export function VersionsCard(props: { texts: readonly Applied[] }): JSX.Element {
  const ask = useAsk();
  const may = useOperatorMay();
  const isEarlier = ({ id, isFile }: Applied) => !isFile && id !== props.texts[0]?.id;
  return (
    <Card title="Applied here" flush>
      <Show
        when={props.texts.length > 0}
        fallback={<EmptyState title="Nothing was applied here yet." />}
      >
        <Table
          caption="Texts that were applied, newest first"
          columns={columns}
          rows={props.texts}
          rowKey={({ id }) => String(id)}
          actions={(row) => (
            <Show when={may("catalog.rollback") && isEarlier(row)}>
              <Button size="small" changes onClick={() => ask(rollbackAction(row))}>
                Apply again
              </Button>
            </Show>
          )}
        />
      </Show>
    </Card>
  );
}

function rollbackAction({ id }: Applied): AskedAction {
  return {
    title: `Apply text ${id} again?`,
    body: "It replaces what is in force now, on every server.",
    confirmLabel: "Apply again",
    run: ({ reason }) => api.operator.catalog.rollback.mutate({ id, reason }),
  };
}
