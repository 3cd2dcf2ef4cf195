// The installation itself at the operator's desk: maintenance, processes and jobs, queues, the database, and the
// configuration in force.
import type { JSX } from "solid-js";
import { lazy, Match, Show, Suspense, Switch } from "solid-js";
import { api } from "../../lib/api.ts";
import { oneOf, useAddress } from "../../lib/use-address.ts";
import { Time } from "../../ui/figures/figures.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Tabs } from "../../ui/menus/tabs.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
import { AskButton } from "./ask.tsx";
import { DatabaseCards, SettingsCards } from "./installation-cards.tsx";
import { OperatorFrame } from "./operator-frame.tsx";
import { InstancesCard, JobsCard } from "./process-cards.tsx";
import { switchAction } from "./switch-action.ts";
import { useDesk } from "./use-operator.ts";

const QueueCards = lazy(() => import("./queue-cards.tsx"));

const tabs = [
  { id: "processes", label: "Processes and jobs" },
  { id: "queues", label: "Queues" },
  { id: "database", label: "Database" },
  { id: "settings", label: "Configuration" },
] as const;

const fields = {
  tab: oneOf(
    "processes",
    tabs.map(({ id }) => id),
  ),
};

export default function SystemPage(): JSX.Element {
  const { get, set } = useAddress(fields);
  const chosen = () => get("tab");
  return (
    <OperatorFrame>
      <Tabs
        label="Parts of the installation"
        tabs={tabs}
        value={chosen()}
        onChange={(tab) => set({ tab })}
        panelClass="flex flex-col gap-5 pt-5"
      >
        <Switch>
          <Match when={chosen() === "processes"}>
            <InstancesCard />
            <JobsCard />
          </Match>
          <Match when={chosen() === "queues"}>
            <Suspense>
              <QueueCards />
            </Suspense>
          </Match>
          <Match when={chosen() === "database"}>
            <DatabaseCards />
          </Match>
          <Match when={chosen() === "settings"}>
            <SettingsCards />
          </Match>
        </Switch>
      </Tabs>
      <MaintenanceCard />
    </OperatorFrame>
  );
}

function MaintenanceCard(): JSX.Element {
  const query = useDesk("maintenance", api.operator.maintenance.show, () => ({}));
  const off = () => query.data?.switchedOff.find((one) => one.what === "everything");
  return (
    <Card
      title="Maintenance"
      actions={
        <AskButton
          verb={off() ? "maintenance.end" : "maintenance.start"}
          action={() => (off() ? endAction : startAction)}
        >
          {off() ? "Accept calls" : "Refuse calls"}
        </AskButton>
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
    </Card>
  );
}

const startAction = switchAction({
  title: "Refuse all calls?",
  body: "New calls get 503 with Retry-After from every instance within a second. Calls that have begun go on.",
  confirmLabel: "Refuse calls",
  hasMessage: true,
  run: (texts) => api.operator.maintenance.start.mutate(texts),
});

const endAction = switchAction({
  title: "Accept calls again?",
  body: "Every instance accepts calls within a second.",
  confirmLabel: "Accept calls",
  run: ({ reason }) => api.operator.maintenance.end.mutate({ reason }),
});
