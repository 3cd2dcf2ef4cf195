// The models to choose from, found by name or id, with their prices.
import type { JSX } from "solid-js";
import { createMemo, createSignal } from "solid-js";
import { formatRate } from "../../lib/format.ts";
import { rank } from "../../lib/match.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { SearchList } from "../../ui/search-list.tsx";
import type { Model } from "./conversation.ts";

export type ModelPickerProps = {
  models: readonly Model[];
  value: string;
  onChange: (id: string) => void;
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

export default function ModelDialog(props: ModelPickerProps): JSX.Element {
  let input: HTMLInputElement | undefined;
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title="Choose a model"
      search
      initialFocus={() => input}
    >
      <ModelSearch
        {...props}
        inputRef={(element) => {
          input = element;
        }}
      />
    </Dialog>
  );
}

function ModelSearch(
  props: ModelPickerProps & { inputRef: (element: HTMLInputElement) => void },
): JSX.Element {
  const [query, setQuery] = createSignal("");
  const options = createMemo(() =>
    rank(props.models, query(), (model) => `${model.name} ${model.id}`).map((model) => ({
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
      chosen={props.value}
      none="No models match."
      inputRef={props.inputRef}
      onRun={(id) => {
        props.onChange(id);
        props.onOpenChange(false);
      }}
    />
  );
}

function ratesOf({ prices }: Model): string {
  const free = "Free";
  return `${formatRate(prices.inputUsd, free)} / ${formatRate(prices.outputUsd, free)}`;
}
