// Which model a page of the playground asks.
import type { JSX } from "solid-js";
import { Select } from "../../../ui/forms/choices.tsx";
import type { Model } from "../conversation/conversation.ts";

type ModelSelectProps = {
  models: readonly Model[];
  value: string;
  onChange: (id: string) => void;
};

export function ModelSelect(props: ModelSelectProps): JSX.Element {
  return (
    <Select
      label="Model"
      value={props.value}
      onChange={props.onChange}
      choices={props.models.map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}
