// Incidents as `/status` and its feed show them: opened, updated and resolved here.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { impactNames, updateNames } from "../../product/status/incident-names.ts";
import { choicesOf } from "../../ui/forms/choices.tsx";
import { pillColumn, textColumn, timeColumn } from "../../ui/tables/columns.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { TableCard } from "../../ui/tables/table-card.tsx";
import { AskButton } from "./ask.tsx";
import type { AskedAction } from "./ask-action.ts";
import { OperatorFrame } from "./operator-frame.tsx";
import { useDesk } from "./use-operator.ts";

type Incident = Answers["operator"]["incident"]["list"]["incidents"][number];

const impacts = choicesOf(impactNames);
const states = choicesOf(updateNames);

const columns: readonly Column<Incident>[] = [
  textColumn("title", "Incident", ({ title }) => title),
  { id: "impact", title: "Impact", cell: ({ impact }) => impactNames[impact] },
  textColumn(
    "of",
    "Affects",
    ({ model, provider }) => [model, provider].filter(Boolean).join(", ") || "everything",
  ),
  pillColumn("state", "State", ({ state }) => ({
    tone: state === "resolved" ? "success" : "warning",
    name: updateNames[state],
  })),
  timeColumn("start", "Started", ({ startedAt }) => startedAt),
];

export default function IncidentsPage(): JSX.Element {
  const query = useDesk("incidents", api.operator.incident.list, () => ({}));
  return (
    <OperatorFrame>
      <TableCard
        title="Incidents"
        description="What the status page and its feed tell everyone, without the reasons given here."
        controls={
          <AskButton verb="incident.open" action={openAction}>
            Open an incident…
          </AskButton>
        }
        query={query}
        what="the incidents"
        empty="No incidents yet."
        caption="Incidents, newest first"
        columns={columns}
        rows={({ incidents }) => incidents}
        rowKey={({ id }) => id}
        actions={(incident) => (
          <Show when={incident.state !== "resolved"}>
            <AskButton verb="incident.update" action={() => updateAction(incident)}>
              Update…
            </AskButton>
          </Show>
        )}
      />
    </OperatorFrame>
  );
}

const textField = {
  kind: "text",
  name: "text",
  label: "What readers are told",
  hint: "A sentence or two in plain words.",
} as const;

const reasonHint = "For the operators' log; readers do not see it.";

function openAction(): AskedAction {
  return {
    title: "Open an incident?",
    body: "It is on the status page at once.",
    confirmLabel: "Publish",
    reasonHint,
    initial: { impact: "degraded" },
    fields: [
      { kind: "text", name: "title", label: "Title" },
      textField,
      { kind: "select", name: "impact", label: "Impact", choices: impacts },
      { kind: "text", name: "model", label: "Model", hint: "Leave empty for all." },
      { kind: "text", name: "provider", label: "Provider", hint: "Leave empty for all." },
    ],
    run: ({ reason, title = "", text = "", model = "", provider = "", ...given }) =>
      api.operator.incident.open.mutate({
        reason,
        title,
        text,
        impact: impacts.find(({ value }) => value === given.impact)?.value ?? "degraded",
        ...(model.trim() !== "" && { model: model.trim() }),
        ...(provider.trim() !== "" && { provider: provider.trim() }),
      }),
  };
}

function updateAction({ id, title, state: before }: Incident): AskedAction {
  return {
    title: `Update “${title}”?`,
    body: "The update is on the status page at once.",
    confirmLabel: "Publish",
    reasonHint,
    initial: { state: before },
    fields: [{ kind: "select", name: "state", label: "State", choices: states }, textField],
    run({ reason, text = "", ...given }) {
      const state = states.find(({ value }) => value === given.state)?.value ?? "resolved";
      return state === "resolved"
        ? api.operator.incident.resolve.mutate({ id, text, reason })
        : api.operator.incident.update.mutate({ id, text, reason, state });
    },
  };
}
