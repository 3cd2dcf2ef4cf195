// The processes that serve this installation: which version each is, whether it is alive, and what it has reserved.
import type { JSX } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { formatDuration } from "../../lib/format.ts";
import { useQuery } from "../../lib/use-query.ts";
import { Card } from "../../ui/card.tsx";
import { Money, Time, Tokens } from "../../ui/figures.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { StatusPill } from "../../ui/status-pill.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { t } from "./system-texts.ts";

type Instance = Answers["operator"]["system"]["instances"]["instances"][number];

const tones = {
  running: "success",
  draining: "info",
  silent: "danger",
  ended: "neutral",
} as const;

const columns: readonly Column<Instance>[] = [
  { id: "host", title: t("instances.host"), cell: nameOf, class: "wrap-anywhere" },
  {
    id: "state",
    title: t("instances.state"),
    cell: ({ state }) => <StatusPill tone={tones[state]}>{t(`instances.${state}`)}</StatusPill>,
  },
  {
    id: "version",
    title: t("instances.version"),
    cell: ({ version }) => version ?? t("instances.unnamed"),
  },
  {
    id: "schema",
    title: t("instances.schema"),
    align: "end",
    cell: ({ schemaVersion }) => schemaVersion ?? t("instances.unnamed"),
  },
  {
    id: "leases",
    title: t("instances.leases"),
    align: "end",
    cell: ({ openLeases }) => <Tokens count={openLeases} inRow />,
  },
  {
    id: "granted",
    title: t("instances.granted"),
    align: "end",
    cell: ({ grantedUsd }) => <Money usd={grantedUsd} kind="sum" inRow />,
  },
  {
    id: "started",
    title: t("instances.started"),
    cell: ({ startedAt }) => <Time at={startedAt} inRow />,
  },
  {
    id: "heartbeat",
    title: t("instances.heartbeat"),
    cell: ({ heartbeatAt }) => <Time at={heartbeatAt} inRow />,
  },
];

function nameOf({ host, pid, worker, id }: Instance): string {
  const place = host === null ? id : `${host}:${pid}`;
  return worker === null ? place : t("instances.worker", { host: place, worker });
}

export function InstancesCard(): JSX.Element {
  const query = useQuery(() => ({
    queryKey: ["operator", "instances"],
    queryFn: ({ signal }) => api.operator.system.instances.query({}, { signal }),
  }));
  const replica = useQuery(() => ({
    queryKey: ["operator", "replica"],
    queryFn: ({ signal }) => api.operator.system.replica.query({}, { signal }),
  }));
  const lag = () => {
    const lagMs = replica.data?.lagMs;
    return typeof lagMs === "number"
      ? t("instances.replica", { lag: formatDuration(lagMs) })
      : undefined;
  };
  return (
    <Card title={t("instances.title")} description={lag()} flush>
      <Loaded query={query} what={t("instances.what")}>
        {(answer) => (
          <Table
            caption={t("instances.caption")}
            columns={columns}
            rows={answer().instances}
            rowKey={({ id }) => id}
          />
        )}
      </Loaded>
    </Card>
  );
}
