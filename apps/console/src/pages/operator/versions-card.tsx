// The texts of the catalogue that were applied at the desk, each of which can be applied again.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Time } from "../../ui/figures.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { t } from "./catalog-texts.ts";
import type { AskedAction } from "./reason-dialog.tsx";
import { useOperatorMay } from "./use-operator.ts";

type Applied = Answers["operator"]["catalog"]["show"]["texts"][number];

const columns: readonly Column<Applied>[] = [
  { id: "id", title: t("versions.id"), cell: ({ id }) => id },
  { id: "by", title: t("versions.by"), cell: ({ appliedBy }) => appliedBy, class: "wrap-anywhere" },
  {
    id: "reason",
    title: t("versions.reason"),
    cell: ({ reason, isFile }) => (isFile ? `${reason} (${t("versions.files")})` : reason),
    class: "wrap-anywhere",
  },
  { id: "at", title: t("versions.at"), cell: ({ appliedAt }) => <Time at={appliedAt} inRow /> },
];

export function VersionsCard(props: {
  texts: readonly Applied[];
  onAsk: (action: AskedAction) => void;
}): JSX.Element {
  const may = useOperatorMay();
  const isEarlier = ({ id, isFile }: Applied) => !isFile && id !== props.texts[0]?.id;
  return (
    <Card title={t("versions.title")} flush>
      <Show when={props.texts.length > 0} fallback={<EmptyState title={t("versions.none")} />}>
        <Table
          caption={t("versions.caption")}
          columns={columns}
          rows={props.texts}
          rowKey={({ id }) => String(id)}
          actions={(row) => (
            <Show when={may("catalog.rollback") && isEarlier(row)}>
              <Button size="small" changes onClick={() => props.onAsk(rollbackAction(row))}>
                {t("versions.rollback")}
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
    title: t("versions.rollbackTitle", { id }),
    body: t("versions.rollbackBody"),
    confirmLabel: t("versions.rollback"),
    run: ({ reason }) => api.operator.catalog.rollback.mutate({ id, reason }),
  };
}
