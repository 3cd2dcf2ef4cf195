// The processes that serve this installation, with their versions and what they have reserved, and the jobs they share.
import type { JSX } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { formatDuration, noData } from "../../lib/format.ts";
import {
  countColumn,
  moneyColumn,
  pillColumn,
  textColumn,
  timeColumn,
} from "../../ui/tables/columns.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { TableCard } from "../../ui/tables/table-card.tsx";
import { AskButton } from "./ask.tsx";
import { describeResult } from "./describe-result.ts";
import { switchAction } from "./switch-action.ts";
import { useDesk } from "./use-operator.ts";

type Instance = Answers["operator"]["system"]["instances"]["instances"][number];

const instanceStates = {
  running: { tone: "success", name: "Running" },
  draining: { tone: "info", name: "Draining" },
  silent: { tone: "danger", name: "Silent" },
  ended: { tone: "neutral", name: "Ended" },
} as const;

const instanceColumns: readonly Column<Instance>[] = [
  textColumn("host", "Host", ({ host, pid, worker, id }) => {
    const place = host === null ? id : `${host}:${pid}`;
    return worker === null ? place : `${place}, worker ${worker}`;
  }),
  pillColumn("state", "State", ({ state }) => instanceStates[state]),
  { id: "version", title: "Version", cell: ({ version }) => version ?? noData },
  { id: "schema", title: "Schema", align: "end", cell: (row) => row.schemaVersion ?? noData },
  countColumn("leases", "Open leases", ({ openLeases }) => openLeases),
  moneyColumn("granted", "Reserved", ({ grantedUsd }) => grantedUsd),
  timeColumn("started", "Started", ({ startedAt }) => startedAt),
  timeColumn("heartbeat", "Last heartbeat", ({ heartbeatAt }) => heartbeatAt),
];

export function InstancesCard(): JSX.Element {
  const query = useDesk("instances", api.operator.system.instances, () => ({}));
  const replica = useDesk("replica", api.operator.system.replica, () => ({}));
  const lag = () => {
    const lagMs = replica.data?.lagMs;
    return typeof lagMs === "number"
      ? `Reports are read from a replica, ${formatDuration(lagMs)} behind.`
      : undefined;
  };
  return (
    <TableCard
      title="Processes"
      description={lag()}
      query={query}
      what="the processes"
      caption="Processes that serve this installation"
      columns={instanceColumns}
      rows={({ instances }) => instances}
      rowKey={({ id }) => id}
    />
  );
}

type Job = Answers["operator"]["job"]["list"]["jobs"][number];

const jobStates = {
  running: { tone: "info", name: "Running" },
  finished: { tone: "success", name: "Finished" },
  failed: { tone: "danger", name: "Failed" },
} as const;

const jobColumns: readonly Column<Job>[] = [
  {
    id: "name",
    title: "Job",
    cell: ({ name }) => <span class="inline-block first-letter:uppercase">{name}</span>,
  },
  pillColumn("state", "State", ({ state, isRequested }) =>
    isRequested ? { ...jobStates[state], name: "Requested" } : jobStates[state],
  ),
  timeColumn("last", "Last run", ({ startedAt }) => startedAt),
  textColumn(
    "result",
    "Result",
    ({ error, result }) => error ?? (describeResult(JSON.parse(result)) || noData),
    {
      class: "wrap-anywhere text-xs",
    },
  ),
];

export function JobsCard(): JSX.Element {
  const query = useDesk("jobs", api.operator.job.list, () => ({}));
  return (
    <TableCard
      title="Jobs"
      description="Each runs in one instance at a time."
      query={query}
      what="the jobs"
      caption="Jobs that all instances share"
      columns={jobColumns}
      rows={({ jobs }) => jobs}
      rowKey={({ name }) => name}
      actions={({ name }) => (
        <AskButton
          verb="job.run"
          action={() =>
            switchAction({
              title: `Run “${name}” now?`,
              body: "One instance runs it at once, besides its usual times.",
              confirmLabel: "Run now",
              run: ({ reason }) => api.operator.job.run.mutate({ name, reason }),
            })
          }
        >
          Run now
        </AskButton>
      )}
    />
  );
}
