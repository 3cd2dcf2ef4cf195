// The project of a key: chosen for a new one, for one that is moved, and to filter by. Nothing where there is only one.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { useFilterableProjects, useProjectChoices } from "../../product/projects/projects.tsx";
import { Select, SelectControl } from "../../ui/forms/choices.tsx";

type ChoiceProps = { value: string; onChange: (id: string) => void };

/** What is chosen while it can be chosen; otherwise the default project, which comes first. */
export function useChosenProject(): (value: string) => string {
  const choices = useProjectChoices();
  return (value) => (choices().find((one) => one.value === value) ?? choices()[0])?.value ?? "";
}

export function ProjectField(props: ChoiceProps & { hint?: string }): JSX.Element {
  const choices = useProjectChoices();
  const chosen = useChosenProject();
  return (
    <Show when={choices().length > 1}>
      <Select
        label="Project"
        hint={props.hint}
        name="projectId"
        value={chosen(props.value)}
        onChange={props.onChange}
        choices={choices()}
      />
    </Show>
  );
}

export default function ProjectFilter(props: ChoiceProps): JSX.Element {
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
