// The configuration in force, without secrets, and which optional features are on.
import type { JSX } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { useQuery } from "../../lib/use-query.ts";
import { Card } from "../../ui/card.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { StatusPill } from "../../ui/status-pill.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { t } from "./system-texts.ts";

type Settings = Answers["operator"]["system"]["settings"];

const featureColumns: readonly Column<Settings["features"][number]>[] = [
  { id: "name", title: t("settings.feature"), cell: ({ name }) => name },
  {
    id: "on",
    title: t("instances.state"),
    cell: ({ isOn }) => (
      <StatusPill tone={isOn ? "success" : "neutral"}>
        {isOn ? t("settings.on") : t("settings.off")}
      </StatusPill>
    ),
  },
  {
    id: "detail",
    title: t("settings.detail"),
    cell: ({ detail }) => detail,
    class: "wrap-anywhere",
  },
];

const columns: readonly Column<Settings["settings"][number]>[] = [
  {
    id: "name",
    title: t("settings.name"),
    cell: ({ name }) => name,
    class: "font-mono text-xs wrap-anywhere",
  },
  {
    id: "value",
    title: t("settings.value"),
    cell: ({ value }) => value || <span class="text-muted">{t("settings.unset")}</span>,
    class: "wrap-anywhere",
  },
];

export function SettingsCards(): JSX.Element {
  const query = useQuery(() => ({
    queryKey: ["operator", "settings"],
    queryFn: ({ signal }) => api.operator.system.settings.query({}, { signal }),
  }));
  return (
    <Loaded query={query} what={t("settings.what")}>
      {(answer) => (
        <>
          <Card title={t("settings.features")} flush>
            <Table
              caption={t("settings.featuresCaption")}
              columns={featureColumns}
              rows={answer().features}
              rowKey={({ name }) => name}
            />
          </Card>
          <Card
            title={t("settings.title")}
            description={t("settings.description", { version: answer().version })}
            flush
          >
            <Table
              caption={t("settings.caption")}
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
