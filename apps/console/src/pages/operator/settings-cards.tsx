// The configuration in force, without secrets, and which optional features are on.
import type { JSX } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { Card } from "../../ui/card.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { StatusPill } from "../../ui/status-pill.tsx";
import { type Column, Table } from "../../ui/table.tsx";

type Settings = Answers["operator"]["system"]["settings"];

const featureColumns: readonly Column<Settings["features"][number]>[] = [
  { id: "name", title: "Feature", cell: ({ name }) => name },
  {
    id: "on",
    title: "State",
    cell: ({ isOn }) => (
      <StatusPill tone={isOn ? "success" : "neutral"}>{isOn ? "On" : "Off"}</StatusPill>
    ),
  },
  { id: "detail", title: "How", cell: ({ detail }) => detail, class: "wrap-anywhere" },
];

const columns: readonly Column<Settings["settings"][number]>[] = [
  {
    id: "name",
    title: "Variable",
    cell: ({ name }) => name,
    class: "font-mono text-xs wrap-anywhere",
  },
  {
    id: "value",
    title: "Value",
    cell: ({ value }) => value || <span class="text-muted">not set</span>,
    class: "wrap-anywhere",
  },
];

export function SettingsCards(): JSX.Element {
  const query = useAnswer(["operator", "settings"], (call) =>
    api.operator.system.settings.query({}, call),
  );
  return (
    <Loaded query={query} what="the configuration">
      {(answer) => (
        <>
          <Card title="Features" flush>
            <Table
              caption="Optional features"
              columns={featureColumns}
              rows={answer().features}
              rowKey={({ name }) => name}
            />
          </Card>
          <Card
            title="Configuration in force"
            description={`Of the process that started last, version ${answer().version}. Secrets are not shown.`}
            flush
          >
            <Table
              caption="Configuration in force"
              columns={columns}
              rows={answer().settings}
              rowKey={({ name }) => name}
            />
          </Card>
        </>
      )}
    </Loaded>
  );
}
