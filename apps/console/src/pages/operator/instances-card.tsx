// The processes that serve this installation: which version each is, whether it is alive, and what it has reserved.
import type { JSX } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { formatDuration } from "../../lib/format.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { Card } from "../../ui/card.tsx";
import { Money, Time, Tokens } from "../../ui/figures.tsx";
import { LoadedTable } from "../../ui/loaded-table.tsx";
import { StatusPill } from "../../ui/status-pill.tsx";
import type { Column } from "../../ui/table.tsx";

const instancesNames = {
  running: "Running",
  draining: "Draining",
  silent: "Silent",
  ended: "Ended",
} as const;

type Instance = Answers["operator"]["system"]["instances"]["instances"][number];

const tones = {
  running: "success",
  draining: "info",
  silent: "danger",
  ended: "neutral",
} as const;

const columns: readonly Column<Instance>[] = [
  { id: "host", title: "Host", cell: nameOf, class: "wrap-anywhere" },
  {
    id: "state",
    title: "State",
    cell: ({ state }) => <StatusPill tone={tones[state]}>{instancesNames[state]}</StatusPill>,
  },
  { id: "version", title: "Version", cell: ({ version }) => version ?? "—" },
  {
    id: "schema",
    title: "Schema",
    align: "end",
    cell: ({ schemaVersion }) => schemaVersion ?? "—",
  },
  {
    id: "leases",
    title: "Open leases",
    align: "end",
    cell: ({ openLeases }) => <Tokens count={openLeases} inRow />,
  },
  {
    id: "granted",
    title: "Reserved",
    align: "end",
    cell: ({ grantedUsd }) => <Money usd={grantedUsd} kind="sum" inRow />,
  },
  { id: "started", title: "Started", cell: ({ startedAt }) => <Time at={startedAt} inRow /> },
  {
    id: "heartbeat",
    title: "Last heartbeat",
    cell: ({ heartbeatAt }) => <Time at={heartbeatAt} inRow />,
  },
];

function nameOf({ host, pid, worker, id }: Instance): string {
  const place = host === null ? id : `${host}:${pid}`;
  return worker === null ? place : `${place}, worker ${worker}`;
}

export function InstancesCard(): JSX.Element {
  const query = useAnswer(["operator", "instances"], (call) =>
    api.operator.system.instances.query({}, call),
  );
  const replica = useAnswer(["operator", "replica"], (call) =>
    api.operator.system.replica.query({}, call),
  );
  const lag = () => {
    const lagMs = replica.data?.lagMs;
    return typeof lagMs === "number"
      ? `Reports are read from a replica, ${formatDuration(lagMs)} behind.`
      : undefined;
  };
  return (
    <Card title="Processes" description={lag()} flush>
      <LoadedTable
        query={query}
        what="the processes"
        caption="Processes that serve this installation"
        columns={columns}
        rows={({ instances }) => instances}
        rowKey={({ id }) => id}
      />
    </Card>
  );
}
