// Settings: what was done in the account, by whom, newest first, as a list and as a file.
import type { JSX } from "solid-js";
import { createSignal, For, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { downloadFile } from "../../lib/download-file.ts";
import { useMay } from "../../lib/session.ts";
import { Asked } from "../../ui/asked.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { SelectControl } from "../../ui/choices.tsx";
import { Time } from "../../ui/figures.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import type { Column } from "../../ui/table.tsx";
import { useChange } from "../../ui/use-change.ts";
import { RetentionCard } from "./retention-card.tsx";
import { SettingsFrame } from "./settings-frame.tsx";

type Row = Answers["audit"]["list"]["rows"][number];

/** The nouns of actions, as the filter offers them. */
const nouns = [
  "account",
  "member",
  "invitation",
  "ownership",
  "key",
  "management_key",
  "top_up",
  "webhook",
] as const;

const columns: readonly Column<Row>[] = [
  { id: "at", title: "Time", cell: (row) => <Time at={row.at} inRow /> },
  {
    id: "actor",
    title: "By",
    cell: (row) => (
      <>
        <span class="block">{row.actor ?? "Operator"}</span>
        <Show when={row.actorKind === "management_key"}>
          <span class="block text-xs text-muted">Management key</span>
        </Show>
        <span class="block font-mono text-xs text-muted">{row.address}</span>
      </>
    ),
    class: "wrap-anywhere",
  },
  { id: "action", title: "Action", cell: (row) => row.action, class: "font-mono text-xs" },
  { id: "object", title: "What", cell: (row) => row.objectName || "—", class: "wrap-anywhere" },
  { id: "changes", title: "Changes", cell: (row) => <Changes of={row.changes} /> },
];

export default function AuditPage(): JSX.Element {
  const mayOwn = useMay("account.own");
  const [noun, setNoun] = createSignal("");
  const filter = () => (noun() === "" ? {} : { action: noun() });
  const download = useChange(() => api.audit.csv.query(filter()), {
    onDone: ({ csv }) => downloadFile("audit-log.csv", csv, "text/csv"),
  });
  return (
    <SettingsFrame>
      <Card
        title="Audit log"
        flush
        actions={
          <div class="flex flex-wrap gap-2">
            <SelectControl
              label="Action"
              small
              value={noun()}
              onChange={setNoun}
              choices={[
                { value: "", label: "All actions" },
                ...nouns.map((value) => ({ value, label: value.replace("_", "-") })),
              ]}
            />
            <Asked as="download-audit-log">
              <Button size="small" pending={download.isPending} onClick={() => download.mutate()}>
                Download CSV
              </Button>
            </Asked>
          </div>
        }
      >
        <PagedTable
          queryKey={["audit", noun()]}
          load={(page, call) => api.audit.list.query({ ...filter(), ...page }, call)}
          what="the audit log"
          empty={noun() === "" ? "Nothing was done yet." : "Nothing matches the filter."}
          caption="What was done in this account, newest first"
          columns={columns}
        />
      </Card>
      <Show when={mayOwn()}>
        <RetentionCard />
      </Show>
    </SettingsFrame>
  );
}

function Changes(props: { of: Row["changes"] }): JSX.Element {
  const lines = () => Object.entries(props.of ?? {});
  return (
    <Show when={lines().length > 0} fallback="—">
      <ul class="text-xs">
        <For each={lines()}>
          {([field, [before, after]]) => (
            <li class="wrap-anywhere">
              {`${field}: ${`${before ?? "nothing"} → ${after ?? "nothing"}`}`}
            </li>
          )}
        </For>
      </ul>
    </Show>
  );
}
