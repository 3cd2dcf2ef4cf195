// Incidents as `/status` and its feed show them: opened, updated and resolved here.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { type Answers, api, type Inputs } from "../../lib/api.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Time } from "../../ui/figures.tsx";
import { LoadedTable } from "../../ui/loaded-table.tsx";
import { StatusPill } from "../../ui/status-pill.tsx";
import type { Column } from "../../ui/table.tsx";
import { useAsk } from "./ask.tsx";
import { OperatorFrame } from "./operator-frame.tsx";
import type { AskedAction } from "./reason-dialog.tsx";
import { useOperatorMay } from "./use-operator.ts";

const impactNames = {
  degraded: "Degraded",
  outage: "Outage",
  maintenance: "Maintenance",
} as const;

const stateNames = {
  investigating: "Investigating",
  identified: "Identified",
  monitoring: "Monitoring",
  resolved: "Resolved",
} as const;

type Incident = Answers["operator"]["incident"]["list"]["incidents"][number];
type Impact = Inputs["operator"]["incident"]["open"]["impact"];
type OpenState = Inputs["operator"]["incident"]["update"]["state"];

const impacts = ["degraded", "outage", "maintenance"] as const satisfies readonly Impact[];
const openStates = [
  "investigating",
  "identified",
  "monitoring",
] as const satisfies readonly OpenState[];

const columns: readonly Column<Incident>[] = [
  { id: "title", title: "Incident", cell: ({ title }) => title, class: "wrap-anywhere" },
  { id: "impact", title: "Impact", cell: ({ impact }) => impactNames[impact] },
  {
    id: "of",
    title: "Affects",
    cell: ({ model, provider }) => [model, provider].filter(Boolean).join(", ") || "everything",
    class: "wrap-anywhere",
  },
  {
    id: "state",
    title: "State",
    cell: ({ state }) => (
      <StatusPill tone={state === "resolved" ? "success" : "warning"}>
        {stateNames[state]}
      </StatusPill>
    ),
  },
  { id: "start", title: "Started", cell: ({ startedAt }) => <Time at={startedAt} inRow /> },
];

export default function IncidentsPage(): JSX.Element {
  const may = useOperatorMay();
  const ask = useAsk();
  const query = useAnswer(["operator", "incidents"], (call) =>
    api.operator.incident.list.query({}, call),
  );
  return (
    <OperatorFrame>
      <Card
        title="Incidents"
        description="What the status page and its feed tell everyone, without the reasons given here."
        flush
        actions={
          <Show when={may("incident.open")}>
            <Button size="small" changes onClick={() => ask(openAction())}>
              Open an incident…
            </Button>
          </Show>
        }
      >
        <LoadedTable
          query={query}
          what="the incidents"
          empty="No incidents yet."
          caption="Incidents, newest first"
          columns={columns}
          rows={({ incidents }) => incidents}
          rowKey={({ id }) => id}
          actions={(incident) => (
            <Show when={may("incident.update") && incident.state !== "resolved"}>
              <Button size="small" changes onClick={() => ask(updateAction(incident))}>
                Update…
              </Button>
            </Show>
          )}
        />
      </Card>
    </OperatorFrame>
  );
}

const textField = {
  name: "text",
  label: "What readers are told",
  hint: "A sentence or two in plain words.",
};

function openAction(): AskedAction {
  return {
    title: "Open an incident?",
    body: "It is on the status page at once.",
    confirmLabel: "Publish",
    reasonHint: "For the operators' log; readers do not see it.",
    fields: [
      { name: "title", label: "Title" },
      textField,
      {
        name: "impact",
        label: "Impact",
        initial: impacts[0],
        choices: impacts.map((value) => ({ value, label: impactNames[value] })),
      },
      { name: "model", label: "Model", hint: "Leave empty for all." },
      { name: "provider", label: "Provider", hint: "Leave empty for all." },
    ],
    run: ({ reason, title = "", text = "", model = "", provider = "", ...given }) =>
      api.operator.incident.open.mutate({
        ...{
          reason,
          title,
          text,
          impact: impacts.find((one) => one === given.impact) ?? impacts[0],
        },
        ...(model.trim() !== "" && { model: model.trim() }),
        ...(provider.trim() !== "" && { provider: provider.trim() }),
      }),
  };
}

function updateAction({ id, title, state }: Incident): AskedAction {
  const choices = [...openStates, "resolved" as const];
  return {
    title: `Update “${title}”?`,
    body: "The update is on the status page at once.",
    confirmLabel: "Publish",
    reasonHint: "For the operators' log; readers do not see it.",
    fields: [
      {
        name: "state",
        label: "State",
        initial: state,
        choices: choices.map((value) => ({ value, label: stateNames[value] })),
      },
      textField,
    ],
    run({ reason, text = "", ...given }) {
      const open = openStates.find((one) => one === given.state);
      return open === undefined
        ? api.operator.incident.resolve.mutate({ id, text, reason })
        : api.operator.incident.update.mutate({ id, text, reason, state: open });
    },
  };
}
