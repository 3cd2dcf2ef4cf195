// In which projects a member works: all of them, or those that are ticked.
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { parseList } from "../../lib/address-query.ts";
import { useProjectChoices, useSeveralProjects } from "../../product/projects/projects.tsx";
import { Checkbox } from "../../ui/forms/choices.tsx";
import { FieldError } from "../../ui/forms/field.tsx";

/** Null is all, also later ones. */
type ProjectScope = readonly string[] | null;

const all = "all";

/** As the value of a form's field. */
export function writeScope(scope: ProjectScope): string {
  return scope === null ? all : scope.join(",");
}

/** Mutable, as inputs of procedures are. */
export function parseScope(text: string): string[] | null {
  return text === all ? null : [...parseList(text)];
}

/** Only some projects, but none of them. */
export function checkScope(text: string): string | undefined {
  return text === "" ? "Choose at least one project." : undefined;
}

type ProjectScopeFieldProps = {
  value: string;
  onInput: (value: string) => void;
  error?: string | undefined;
};

/** Nothing where there is only one project. */
export function ProjectScopeField(props: ProjectScopeFieldProps): JSX.Element {
  const several = useSeveralProjects();
  const choices = useProjectChoices();
  const scope = () => parseScope(props.value);
  const toggle = (id: string, on: boolean) => {
    const others = (scope() ?? []).filter((chosen) => chosen !== id);
    props.onInput(writeScope(on ? [...others, id] : others));
  };
  return (
    <Show when={several()}>
      <fieldset class="flex flex-col gap-2">
        <legend class="mb-1.5 font-medium">Projects</legend>
        <Checkbox
          label="All projects"
          hint="Later ones too. Owners and admins always have all."
          checked={scope() === null}
          onChange={(on) => props.onInput(writeScope(on ? null : []))}
        />
        <Show when={scope() !== null}>
          <div class="ms-6 flex max-h-48 flex-col gap-2 overflow-y-auto">
            <For each={choices()}>
              {(choice) => (
                <Checkbox
                  label={choice.label}
                  checked={scope()?.includes(choice.value) ?? false}
                  onChange={(on) => toggle(choice.value, on)}
                />
              )}
            </For>
          </div>
        </Show>
        <FieldError id="project-scope-error" error={props.error} />
      </fieldset>
    </Show>
  );
}

/** The projects of a listed member or invitation. */
export function ProjectScopeText(props: { of: ProjectScope }): JSX.Element {
  const choices = useProjectChoices();
  const names = () =>
    (props.of ?? []).map((id) => choices().find(({ value }) => value === id)?.label ?? "…");
  return <>{props.of === null ? "All projects" : names().join(", ")}</>;
}
