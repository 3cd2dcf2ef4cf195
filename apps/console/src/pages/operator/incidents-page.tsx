// Incidents as `/status` and its feed show them: opened, updated and resolved here.
import { useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { type Answers, api, type Inputs } from "../../lib/api.ts";
import { useQuery } from "../../lib/use-query.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Time } from "../../ui/figures.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { StatusPill } from "../../ui/status-pill.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { t } from "./incidents-texts.ts";
import { OperatorFrame } from "./operator-frame.tsx";
import { type AskedAction, ReasonDialog } from "./reason-dialog.tsx";
import { useOperatorMay } from "./use-operator.ts";

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
  { id: "title", title: t("list.incident"), cell: ({ title }) => title, class: "wrap-anywhere" },
  { id: "impact", title: t("list.impact"), cell: ({ impact }) => t(`impact.${impact}`) },
  {
    id: "of",
    title: t("list.of"),
    cell: ({ model, provider }) => [model, provider].filter(Boolean).join(", ") || t("list.all"),
    class: "wrap-anywhere",
  },
  {
    id: "state",
    title: t("list.state"),
    cell: ({ state }) => (
      <StatusPill tone={state === "resolved" ? "success" : "warning"}>
        {t(`state.${state}`)}
      </StatusPill>
    ),
  },
  { id: "start", title: t("list.start"), cell: ({ startedAt }) => <Time at={startedAt} inRow /> },
];

export default function IncidentsPage(): JSX.Element {
  const may = useOperatorMay();
  const client = useQueryClient();
  const [asked, ask] = createSignal<AskedAction>();
  const key = ["operator", "incidents"] as const;
  const query = useQuery(() => ({
    queryKey: key,
    queryFn: ({ signal }) => api.operator.incident.list.query({}, { signal }),
  }));
  return (
    <OperatorFrame>
      <Card
        title={t("list.title")}
        description={t("list.description")}
        flush
        actions={
          <Show when={may("incident.open")}>
            <Button size="small" changes onClick={() => ask(openAction())}>
              {t("open.button")}
            </Button>
          </Show>
        }
      >
        <Loaded query={query} what={t("list.what")}>
          {(answer) => (
            <Show
              when={answer().incidents.length > 0}
              fallback={<EmptyState title={t("list.none")} />}
            >
              <Table
                caption={t("list.caption")}
                columns={columns}
                rows={answer().incidents}
                rowKey={({ id }) => id}
                actions={(incident) => (
                  <Show when={may("incident.update") && incident.state !== "resolved"}>
                    <Button size="small" changes onClick={() => ask(updateAction(incident))}>
                      {t("update.button")}
                    </Button>
                  </Show>
                )}
              />
            </Show>
          )}
        </Loaded>
      </Card>
      <Show when={asked()} keyed>
        {(action) => (
          <ReasonDialog
            action={action}
            onClose={() => ask(undefined)}
            onDone={() => void client.invalidateQueries({ queryKey: key })}
          />
        )}
      </Show>
    </OperatorFrame>
  );
}

const textField = { name: "text", label: t("text.label"), hint: t("text.hint") };

function openAction(): AskedAction {
  return {
    title: t("open.title"),
    body: t("open.body"),
    confirmLabel: t("open.confirm"),
    reasonHint: t("reasonHint.text"),
    fields: [
      { name: "title", label: t("open.name") },
      textField,
      {
        name: "impact",
        label: t("list.impact"),
        initial: impacts[0],
        choices: impacts.map((value) => ({ value, label: t(`impact.${value}`) })),
      },
      { name: "model", label: t("open.model"), hint: t("open.all") },
      { name: "provider", label: t("open.provider"), hint: t("open.all") },
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
    title: t("update.title", { title }),
    body: t("update.body"),
    confirmLabel: t("update.confirm"),
    reasonHint: t("reasonHint.text"),
    fields: [
      {
        name: "state",
        label: t("list.state"),
        initial: state,
        choices: choices.map((value) => ({ value, label: t(`state.${value}`) })),
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
