// Who changed what? What was done in the account, newest first, as a list and as a file, and how long it is kept.

import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { downloadFile } from "../../lib/download-file.ts";
import { noData } from "../../lib/format.ts";
import { namesOf } from "../../lib/names-of.ts";
import { counted } from "../../lib/plural.ts";
import { useConfig, useMay, useTimeZone } from "../../lib/session.ts";
import { oneOf, useAddress } from "../../lib/use-address.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { useProjects } from "../../product/projects/use-projects.ts";
import { DownloadButton } from "../../ui/buttons/download-button.tsx";
import { useChange } from "../../ui/buttons/use-change.ts";
import { translateOf } from "../../ui/figures/machine-text.ts";
import { choicesOf, Select } from "../../ui/forms/choices.tsx";
import { Asked } from "../../ui/layout/asked.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
import { textColumn, timeColumn } from "../../ui/tables/columns.tsx";
import { FilterBar, FilterSelect } from "../../ui/tables/filter-bar.tsx";
import { PagedCard } from "../../ui/tables/paged-card.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { describeChanges } from "./describe-change.ts";
import { SettingsFrame } from "./settings-frame.tsx";

type Row = Answers["audit"]["list"]["rows"][number];

/** The nouns of actions, as the filter offers them. */
const nounNames = {
  account: "account",
  member: "member",
  invitation: "invitation",
  ownership: "ownership",
  key: "key",
  management_key: "management-key",
  top_up: "top-up",
  webhook: "webhook",
  budget: "budget",
  guardrail: "guardrail",
  project: "project",
  domain: "domain",
  conversation: "conversation",
  person: "person",
  view: "view",
} as const;

const fields = { action: oneOf("", namesOf(nounNames)) };

const columns: readonly Column<Row>[] = [
  timeColumn("at", "Time", ({ at }) => at),
  textColumn("actor", "By", (row) => (
    <>
      <span class="block">{row.actor ?? "Operator"}</span>
      <Show when={row.actorKind === "management_key"}>
        <span class="block text-xs text-muted">Management key</span>
      </Show>
      <span translate="no" class="block font-mono text-xs text-muted">
        {row.address}
      </span>
    </>
  )),
  {
    id: "action",
    title: "Action",
    cell: (row) => <span translate="no">{row.action}</span>,
    class: "font-mono text-xs",
  },
  textColumn("object", "What", ({ objectName }) => (
    <span translate={translateOf(objectName)}>{objectName || noData}</span>
  )),
  { id: "changes", title: "Changes", cell: (row) => <Changes of={row} /> },
];

export default function AuditPage(): JSX.Element {
  const mayOwn = useMay("account.own");
  const { get, set, narrowedBy } = useAddress(fields);
  const noun = () => get("action");
  const narrowed = narrowedBy(["action"]);
  const filter = () => (noun() === "" ? {} : { action: noun() });
  const download = async () => {
    const { csv } = await api.audit.csv.query(filter());
    downloadFile("audit-log.csv", csv, "text/csv");
  };
  return (
    <SettingsFrame wide>
      <PagedCard
        title="Audit log"
        controls={
          <Asked as="download-audit-log">
            <DownloadButton size="small" download={download}>
              Download CSV
            </DownloadButton>
          </Asked>
        }
        filters={
          <FilterBar narrowed={narrowed} inCard>
            <FilterSelect
              label="Action"
              value={noun()}
              onChange={(action) => set({ action })}
              any="All actions"
              choices={choicesOf(nounNames)}
            />
          </FilterBar>
        }
        narrowed={narrowed}
        queryKey={["audit", noun()]}
        load={(page, call) => api.audit.list.query({ ...filter(), ...page }, call)}
        what="the audit log"
        empty="Nothing was done yet."
        caption="What was done in this account, newest first"
        columns={columns}
      >
        <Show when={mayOwn()}>
          <RetentionCard />
        </Show>
      </PagedCard>
    </SettingsFrame>
  );
}

function Changes(props: { of: Row }): JSX.Element {
  const timeZone = useTimeZone();
  const projects = useProjects();
  const config = useConfig();
  const lines = () =>
    describeChanges(props.of.action, props.of.changes ?? {}, {
      timeZone: timeZone(),
      projectNames: namesById(projects.data),
      providerNames: namesById(config.data?.signInProviders),
    });
  return (
    <Show when={lines().length > 0} fallback={noData}>
      <ul class="text-xs">
        <For each={lines()}>{(line) => <li class="wrap-anywhere">{line}</li>}</For>
      </ul>
    </Show>
  );
}

function namesById(things: readonly { readonly id: string; readonly name: string }[] = []) {
  return Object.fromEntries(things.map(({ id, name }) => [id, name]));
}

const retentionKey = ["audit", "retention"] as const;
const offeredDays = [90, 180, 365, 730, 1_095, 2_555, 3_650];
const forEver = "";

/** How long the audit log of the account is kept. */
function RetentionCard(): JSX.Element {
  const query = useAnswer(retentionKey, (call) => api.audit.retention.query(undefined, call));
  const save = useChange(
    (days: string) =>
      api.audit.setRetention.mutate({ days: days === forEver ? null : Number(days) }),
    { refreshes: ["audit"], toast: "Saved" },
  );
  return (
    <Card
      title="Retention"
      description="Older rows are deleted for good. Rows of the last 90 days are always kept, so that nobody can hide what they did."
    >
      <Loaded query={query} what="the retention of the audit log">
        {(retention) => (
          <Select
            label="Keep the audit log for"
            value={String(retention().days ?? forEver)}
            onChange={(days) => save.mutate(days)}
            choices={[
              { value: forEver, label: "Forever" },
              ...daysBeside(retention().days).map((days) => ({
                value: String(days),
                label: counted(days, "day"),
              })),
            ]}
          />
        )}
      </Loaded>
    </Card>
  );
}

/** Set elsewhere, it may be a number that is not offered here. */
function daysBeside(days: number | null): readonly number[] {
  if (days === null || offeredDays.includes(days)) return offeredDays;
  return [...offeredDays, days].toSorted((a, b) => a - b);
}
