// The installation itself at the operator's desk: maintenance, processes and jobs, queues, the database, and the
// configuration in force.
import { useSearchParams } from "@solidjs/router";
import { useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createSignal, Match, Show, Switch } from "solid-js";
import { api } from "../../lib/api.ts";
import { useQuery } from "../../lib/use-query.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Time } from "../../ui/figures.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { DatabaseCards } from "./database-cards.tsx";
import { InstancesCard } from "./instances-card.tsx";
import { JobsCard } from "./jobs-card.tsx";
import { OperatorFrame } from "./operator-frame.tsx";
import { QueueCards } from "./queue-cards.tsx";
import { SettingsCards } from "./settings-cards.tsx";
import { SwitchDialog } from "./switch-dialog.tsx";
import { useOperatorMay } from "./use-operator.ts";

const tabNames = {
  processes: "Processes and jobs",
  queues: "Queues",
  database: "Database",
  settings: "Configuration",
} as const;

const tabs = ["processes", "queues", "database", "settings"] as const;
type Tab = (typeof tabs)[number];

export default function SystemPage(): JSX.Element {
  const [search, setSearch] = useSearchParams<{ tab?: string }>();
  const chosen = (): Tab => tabs.find((one) => one === search.tab) ?? "processes";
  return (
    <OperatorFrame>
      <MaintenanceCard />
      <Tabs
        label="Parts of the installation"
        tabs={tabs.map((id) => ({ id, label: tabNames[id] }))}
        value={chosen()}
        onChange={(id) => setSearch({ tab: id === "processes" ? undefined : id })}
        panelClass="flex flex-col gap-5 pt-5"
      >
        <Switch>
          <Match when={chosen() === "processes"}>
            <InstancesCard />
            <JobsCard />
          </Match>
          <Match when={chosen() === "queues"}>
            <QueueCards />
          </Match>
          <Match when={chosen() === "database"}>
            <DatabaseCards />
          </Match>
          <Match when={chosen() === "settings"}>
            <SettingsCards />
          </Match>
        </Switch>
      </Tabs>
    </OperatorFrame>
  );
}

const key = ["operator", "maintenance"] as const;

function MaintenanceCard(): JSX.Element {
  const may = useOperatorMay();
  const client = useQueryClient();
  const [asking, setAsking] = createSignal(false);
  const query = useQuery(() => ({
    queryKey: key,
    queryFn: ({ signal }) => api.operator.maintenance.show.query({}, { signal }),
  }));
  const off = () => query.data?.switchedOff.find((one) => one.what === "everything");
  return (
    <Card
      title="Maintenance"
      actions={
        <Show when={may(off() ? "maintenance.end" : "maintenance.start")}>
          <Button size="small" changes onClick={() => setAsking(true)}>
            {off() ? "Accept calls" : "Refuse calls"}
          </Button>
        </Show>
      }
    >
      <Loaded query={query} what="Switched off">
        {() => (
          <Show when={off()} fallback="Calls are accepted.">
            {(one) => (
              <>
                Calls are refused since <Time at={one().since} />: {one().reason}
              </>
            )}
          </Show>
        )}
      </Loaded>
      <Show when={asking()}>
        <MaintenanceDialog
          ends={off() !== undefined}
          onClose={() => setAsking(false)}
          onDone={() => void client.invalidateQueries({ queryKey: key })}
        />
      </Show>
    </Card>
  );
}

type DialogProps = { ends: boolean; onClose: () => void; onDone: () => void };

function MaintenanceDialog(props: DialogProps): JSX.Element {
  const { ends } = props;
  const { start, end } = api.operator.maintenance;
  return (
    <SwitchDialog
      title={ends ? "Accept calls again?" : "Refuse all calls?"}
      body={
        ends
          ? "Every instance accepts calls within a second."
          : "New calls get 503 with Retry-After from every instance within a second. Calls that have begun go on."
      }
      confirmLabel={ends ? "Accept calls" : "Refuse calls"}
      hasMessage={!ends}
      run={(texts) => (ends ? end.mutate({ reason: texts.reason }) : start.mutate(texts))}
      onClose={props.onClose}
      onDone={props.onDone}
    />
  );
}
