// The dialogs of the Playground: parameters, code, history, and the choice of a column's model.
import type { JSX } from "solid-js";
import { createMemo, createSignal, Show } from "solid-js";
import { formatRate } from "../../lib/format.ts";
import { rank } from "../../lib/match.ts";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { SearchList } from "../../ui/menus/search-list.tsx";
import { CodeDialog } from "./code/code-dialog.tsx";
import type { Model, Thread } from "./conversation/conversation.ts";
import type { Playground } from "./create-playground.ts";
import { HistoryDialog } from "./history/history-dialog.tsx";

type PlaygroundDialogsProps = {
  playground: Playground;
  /** Absent while they are on the page. */
  parameters: (() => JSX.Element) | undefined;
};

export default function PlaygroundDialogs(props: PlaygroundDialogsProps): JSX.Element {
  const { sheet, setSheet } = props.playground;
  return (
    <>
      <Dialog
        open={sheet() === "parameters" && props.parameters !== undefined}
        onOpenChange={() => setSheet(undefined)}
        title="Parameters"
        shape="side"
      >
        {props.parameters?.()}
      </Dialog>
      <CodeDialog playground={props.playground} />
      <HistoryDialog playground={props.playground} />
      <ModelDialog playground={props.playground} />
    </>
  );
}

type ModelDialogProps = { playground: Playground };

function ModelDialog(props: ModelDialogProps): JSX.Element {
  const { setSheet, sheet } = props.playground;
  const thread = () => {
    const open = sheet();
    return typeof open === "object" ? open : undefined;
  };
  return (
    <Dialog
      open={thread() !== undefined}
      onOpenChange={() => setSheet(undefined)}
      title="Choose a model"
      search
    >
      <Show when={thread()} keyed>
        {(one) => <ModelSearch {...props} thread={one} />}
      </Show>
    </Dialog>
  );
}

/** Found by name or id, with their prices. */
function ModelSearch(props: ModelDialogProps & { thread: Thread }): JSX.Element {
  const { models, setModel, setSheet } = props.playground;
  const [query, setQuery] = createSignal("");
  const options = createMemo(() =>
    rank(models(), query(), (model) => `${model.name} ${model.id}`).map((model) => ({
      id: model.id,
      title: model.name,
      note: model.id,
      hint: ratesOf(model),
    })),
  );
  return (
    <SearchList
      label="Search models by name or id"
      placeholder="Search models by name or id"
      query={query()}
      onQuery={setQuery}
      options={options()}
      chosen={props.thread.model}
      none="No models match."
      onRun={(model) => {
        setModel(props.thread.id, model);
        setSheet(undefined);
      }}
    />
  );
}

function ratesOf({ prices }: Model): string {
  const free = "Free";
  return `${formatRate(prices.inputUsd, free)} / ${formatRate(prices.outputUsd, free)}`;
}
