// What is switched off at the moment, by whom and why, with a button to switch each on again.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Time } from "../../ui/figures.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useAsk } from "./ask.tsx";
import type { AskedAction } from "./reason-dialog.tsx";
import { switchAction } from "./switch-action.ts";
import { useOperatorMay, type VerbName } from "./use-operator.ts";

type Off = Answers["operator"]["maintenance"]["show"]["switchedOff"][number];

const columns: readonly Column<Off>[] = [
  { id: "what", title: "Switched off", cell: nameOf, class: "wrap-anywhere" },
  { id: "reason", title: "Why", cell: ({ reason }) => reason, class: "wrap-anywhere" },
  {
    id: "message",
    title: "Callers read",
    cell: ({ message }) => message || "—",
    class: "wrap-anywhere",
  },
  { id: "by", title: "By", cell: ({ by }) => by, class: "wrap-anywhere" },
  { id: "since", title: "Since", cell: ({ since }) => <Time at={since} inRow /> },
];

function nameOf({ what, model, provider }: Off): string {
  return model === "" && provider === "" ? "Everything, for maintenance" : what;
}

export function SwitchedOffCard(props: { switches: readonly Off[] }): JSX.Element {
  const may = useOperatorMay();
  const ask = useAsk();
  return (
    <Show when={props.switches.length > 0}>
      <Card
        title="Switched off"
        description="No instance calls these. Calls that had begun went on."
        flush
      >
        <Table
          caption="What is switched off"
          columns={columns}
          rows={props.switches}
          rowKey={({ what }) => what}
          actions={(row) => (
            <Show when={may(verbOf(row))}>
              <Button size="small" changes onClick={() => ask(switchOnAction(row))}>
                Switch on
              </Button>
            </Show>
          )}
        />
      </Card>
    </Show>
  );
}

function verbOf({ model, provider }: Off): VerbName {
  if (provider !== "") return "route.on";
  return model === "" ? "maintenance.end" : "model.on";
}

function switchOnAction(off: Off): AskedAction {
  return switchAction({
    title: `Switch ${nameOf(off)} on again?`,
    body: "Every instance calls it again within a second.",
    confirmLabel: "Switch on",
    run: ({ reason }) => switchOn(off, reason),
  });
}

function switchOn({ model, provider, upstreamModel }: Off, reason: string): Promise<unknown> {
  if (provider !== "") {
    const names = { ...(upstreamModel && { upstreamModel }), ...(model && { model }) };
    return api.operator.route.on.mutate({ provider, ...names, reason });
  }
  if (model !== "") return api.operator.model.on.mutate({ model, reason });
  return api.operator.maintenance.end.mutate({ reason });
}
