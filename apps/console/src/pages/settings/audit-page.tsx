// Settings: what was done in the account, by whom, newest first, as a list and as a file.
import { useMutation } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createMemo, createSignal, For, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { describeFailure } from "../../lib/describe-failure.ts";
import { downloadFile } from "../../lib/download-file.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { useMay } from "../../lib/session.ts";
import { createStableRows } from "../../lib/stable-rows.ts";
import { useQuery } from "../../lib/use-query.ts";
import { Asked } from "../../ui/asked.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { SelectControl } from "../../ui/choices.tsx";
import { Time } from "../../ui/figures.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { showToast } from "../../ui/toasts.tsx";
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
  {
    id: "object",
    title: "What",
    cell: (row) => row.objectName || "—",
    class: "wrap-anywhere",
  },
  { id: "changes", title: "Changes", cell: (row) => <Changes of={row.changes} /> },
];

export default function AuditPage(): JSX.Element {
  const mayOwn = useMay("account.own");
  const [noun, setNoun] = createSignal("");
  const [before, setBefore] = createSignal<readonly string[]>([]);
  const filter = () => (noun() === "" ? {} : { action: noun() });
  const download = useMutation(() => ({
    mutationFn: () => api.audit.csv.query(filter()),
    onSuccess: ({ csv }) => downloadFile("audit-log.csv", csv, "text/csv"),
    onError: (error) => showToast({ text: describeFailure(readFailure(error)), isError: true }),
  }));
  const choose = (value: string) => {
    setBefore([]);
    setNoun(value);
  };
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
              onChange={choose}
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
        <For each={["", ...before()]}>
          {(cursor) => (
            <AuditRows
              noun={noun()}
              cursor={cursor}
              onMore={(next) => setBefore([...before(), next])}
              isLast={cursor === (before().at(-1) ?? "")}
            />
          )}
        </For>
      </Card>
      <Show when={mayOwn()}>
        <RetentionCard />
      </Show>
    </SettingsFrame>
  );
}

type AuditRowsProps = {
  noun: string;
  /** Empty for the newest. */
  cursor: string;
  isLast: boolean;
  onMore: (cursor: string) => void;
};

function AuditRows(props: AuditRowsProps): JSX.Element {
  const query = useQuery(() => ({
    queryKey: ["audit", props.noun, props.cursor],
    queryFn: ({ signal }) =>
      api.audit.list.query(
        {
          ...(props.noun !== "" && { action: props.noun }),
          ...(props.cursor !== "" && { cursor: props.cursor }),
        },
        { signal },
      ),
  }));
  const rows = createStableRows(() => query.data?.rows ?? []);
  const next = createMemo(() => (props.isLast ? query.data?.nextCursor : null));
  return (
    <Loaded query={query} what="the audit log">
      {() => (
        <Show
          when={rows().length > 0}
          fallback={
            <EmptyState
              title={props.noun === "" ? "Nothing was done yet." : "Nothing matches the filter."}
            />
          }
        >
          <Table
            caption="What was done in this account, newest first"
            columns={columns}
            rows={rows()}
            rowKey={(row) => row.id}
          />
          <Show when={next()}>
            {(cursor) => (
              <div class="border-t border-border p-3 text-center">
                <Button size="small" onClick={() => props.onMore(cursor())}>
                  Show more
                </Button>
              </div>
            )}
          </Show>
        </Show>
      )}
    </Loaded>
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
