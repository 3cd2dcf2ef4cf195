// The project of a key: chosen for a new one, for one that is moved, and to filter by. Nothing where there is only one.
import type { JSX } from "solid-js";
import { createEffect, Show } from "solid-js";
import { Select, SelectControl } from "../../ui/choices.tsx";
import { useFilterableProjects, useProjectChoices } from "../shared/projects.tsx";

type ChoiceProps = { value: string; onChange: (id: string) => void };

export function ProjectField(props: ChoiceProps & { hint?: string }): JSX.Element {
  const choices = useProjectChoices();
  // The default project comes first.
  createEffect(() => {
    const known = choices();
    if (known.length > 0 && !known.some(({ value }) => value === props.value)) {
      props.onChange(known[0]?.value ?? "");
    }
  });
  return (
    <Show when={choices().length > 1}>
      <Select
        label="Project"
        hint={props.hint}
        name="projectId"
        value={props.value}
        onChange={props.onChange}
        choices={choices()}
      />
    </Show>
  );
}

export function ProjectFilter(props: ChoiceProps): JSX.Element {
  const choices = useFilterableProjects();
  return (
    <Show when={choices().length > 1 || props.value !== ""}>
      <SelectControl
        label="Project"
        small
        value={props.value}
        onChange={props.onChange}
        choices={[{ value: "", label: "All projects" }, ...choices()]}
      />
    </Show>
  );
}
