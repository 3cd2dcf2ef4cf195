// What is switched off at the moment, by whom and why, with a button to switch each on again.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { noData } from "../../lib/format.ts";
import { textColumn, timeColumn } from "../../ui/tables/columns.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { TableCard } from "../../ui/tables/table-card.tsx";
import { AskButton } from "./ask.tsx";
import type { AskedAction } from "./ask-action.ts";
import { switchAction } from "./switch-action.ts";
import type { VerbName } from "./use-operator.ts";

type Off = Answers["operator"]["maintenance"]["show"]["switchedOff"][number];

const columns: readonly Column<Off>[] = [
  textColumn("what", "Switched off", nameOf),
  textColumn("reason", "Why", ({ reason }) => reason),
  textColumn("message", "Callers read", ({ message }) => message || noData),
  textColumn("by", "By", ({ by }) => by),
  timeColumn("since", "Since", ({ since }) => since),
];

function nameOf({ what, model, provider }: Off): string {
  return model === "" && provider === "" ? "Everything, for maintenance" : what;
}

export function SwitchedOffCard(props: { switches: readonly Off[] }): JSX.Element {
  return (
    <Show when={props.switches.length > 0}>
      <TableCard
        title="Switched off"
        description="No instance calls these. Calls that had begun went on."
        caption="What is switched off"
        columns={columns}
        rows={props.switches}
        rowKey={({ what }) => what}
        actions={(row) => (
          <AskButton verb={verbOf(row)} action={() => switchOnAction(row)}>
            Switch on
          </AskButton>
        )}
      />
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
