// The projects of the account: whether responses are stored that do not ask for it, and how long.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { counted } from "../../lib/plural.ts";
import { useConfig, useMay } from "../../lib/session.ts";
import type { Project } from "../../product/projects/use-projects.ts";
import { useChange } from "../../ui/buttons/use-change.ts";
import { SelectControl } from "../../ui/forms/choices.tsx";
import { ProjectSetting, ProjectsCard } from "./projects-card.tsx";

const offeredHours = [24, 7 * 24, 30 * 24];
const off = "";

export function ResponsesCard(): JSX.Element {
  const config = useConfig();
  return (
    <>
      <ProjectsCard
        title="Responses"
        description="Requests to /v1/responses and for interactions are stored if they say store: true, so that later ones continue them. Agents that expect this of OpenAI do not say it: here a project stores them too, unless a request says store: false."
      >
        {(project) => <ResponseStorage of={project} />}
      </ProjectsCard>
      <Show when={config.data?.files === false}>
        <p class="text-sm text-muted">
          Responses cannot be stored: the operator of this installation has to set OBJECTS_FOLDER
          and SEALING_KEY first.
        </p>
      </Show>
    </>
  );
}

function ResponseStorage(props: { of: Project }): JSX.Element {
  const config = useConfig();
  const mayChange = useMay("projects.change");
  const save = useChange(
    (hours: number | null) => api.projects.setResponses.mutate({ id: props.of.id, hours }),
    { refreshes: ["projects"], toast: "Saved" },
  );
  const disabled = () => !mayChange() || save.isPending || config.data?.files !== true;
  return (
    <ProjectSetting of={props.of}>
      <SelectControl
        label={`Responses of ${props.of.name}`}
        value={String(props.of.responseHours ?? off)}
        disabled={disabled()}
        onChange={(hours) => save.mutate(hours === off ? null : Number(hours))}
        choices={[
          { value: off, label: "Stored if asked for" },
          ...hoursBeside(props.of.responseHours).map((hours) => ({
            value: String(hours),
            label: `Stored for ${describeHours(hours)}`,
          })),
        ]}
      />
    </ProjectSetting>
  );
}

function describeHours(hours: number): string {
  return hours % 24 === 0 ? counted(hours / 24, "day") : counted(hours, "hour");
}

/** Set elsewhere, it may be a number that is not offered here. */
function hoursBeside(hours: number | null): readonly number[] {
  if (hours === null || offeredHours.includes(hours)) return offeredHours;
  return [...offeredHours, hours].toSorted((a, b) => a - b);
}
