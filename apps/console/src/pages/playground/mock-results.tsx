// For each tool, the result to begin with when a model calls it; it can be edited before it is sent.
import type { JSX } from "solid-js";
import { For } from "solid-js";
import { TextArea } from "../../ui/text-field.tsx";
import { type Parameters, toolNames } from "./conversation.ts";

type MockResultsProps = {
  parameters: Parameters;
  onChange: (mocks: Parameters["mocks"]) => void;
};

export default function MockResults(props: MockResultsProps): JSX.Element {
  return (
    <For each={toolNames(props.parameters.tools)}>
      {(name) => (
        <TextArea
          label={`Mock result of ${name}`}
          hint="Filled in when the model calls it. You can edit it before you send it."
          rows={2}
          mono
          spellcheck={false}
          value={props.parameters.mocks[name] ?? ""}
          onInput={(result) => props.onChange({ ...props.parameters.mocks, [name]: result })}
        />
      )}
    </For>
  );
}
