// The projects of the account: whether the prompts and answers of each are stored, how long, and whether secrets are
// replaced first.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { counted } from "../../lib/plural.ts";
import { useConfig, useMay } from "../../lib/session.ts";
import type { Project } from "../../product/projects/use-projects.ts";
import { useChange } from "../../ui/buttons/use-change.ts";
import { askQuestion } from "../../ui/dialogs/open-dialog.tsx";
import { SelectControl, Switch } from "../../ui/forms/choices.tsx";
import { ProjectSetting, ProjectsCard } from "./projects-card.tsx";

type Setting = { readonly days: number | null; readonly redacts: boolean };

const offeredDays = [1, 7, 14, 30, 60, 90];
const off = "";

export function PromptsCard(): JSX.Element {
  return (
    <ProjectsCard
      title="Prompts and answers"
      description="Not stored, unless you switch it on for a project: then Logs show what was asked and answered to owners and admins, and to developers for their own keys. It is encrypted at rest, and every member sees that it is on."
    >
      {(project) => <PromptStorage of={project} />}
    </ProjectsCard>
  );
}

function PromptStorage(props: { of: Project }): JSX.Element {
  const config = useConfig();
  const mayChange = useMay("projects.change");
  const store = (setting: Setting) =>
    api.projects.setPrompts.mutate({ id: props.of.id, ...setting });
  const save = useChange(store, { refreshes: ["projects"], toast: "Saved" });
  const setting = (): Setting => ({
    days: props.of.promptDays,
    redacts: props.of.redactsPrompts,
  });
  const stop = () =>
    askQuestion({
      title: `Stop storing prompts and answers of ${props.of.name}?`,
      text: "What is stored is no longer shown, and is deleted.",
      confirmLabel: "Stop and delete",
      run: () => store({ ...setting(), days: null }),
      refreshes: [["projects"]],
      toast: "Saved",
    });
  const choose = (days: string) => {
    if (days === off) stop();
    else save.mutate({ ...setting(), days: Number(days) });
  };
  const disabled = () => !mayChange() || save.isPending || config.data?.prompts !== true;
  return (
    <div class="flex flex-col gap-4">
      <ProjectSetting of={props.of}>
        <SelectControl
          label={`Prompts and answers of ${props.of.name}`}
          value={String(props.of.promptDays ?? off)}
          disabled={disabled()}
          onChange={choose}
          choices={[
            { value: off, label: "Not stored" },
            ...daysBeside(props.of.promptDays).map((days) => ({
              value: String(days),
              label: `Stored for ${counted(days, "day")}`,
            })),
          ]}
        />
      </ProjectSetting>
      <Show when={props.of.promptDays !== null}>
        <Switch
          label="Replace secrets and addresses"
          hint="API keys, tokens, private keys, email and IP addresses, phone and card numbers of known forms, before anything is stored. Images and speech are stored only without it."
          checked={props.of.redactsPrompts}
          disabled={disabled()}
          onChange={(redacts) => save.mutate({ ...setting(), redacts })}
        />
      </Show>
      <Show when={config.data && !config.data.prompts}>
        <p class="text-sm text-muted">
          They cannot be stored: the operator of this installation has to set SEALING_KEY first.
        </p>
      </Show>
    </div>
  );
}

/** Set elsewhere, it may be a number that is not offered here. */
function daysBeside(days: number | null): readonly number[] {
  if (days === null || offeredDays.includes(days)) return offeredDays;
  return [...offeredDays, days].toSorted((a, b) => a - b);
}
