// The dialogs of projects: create, rename, limit, and archive, with a choice of what happens to the keys.
import type { JSX } from "solid-js";
import { createSignal, Match, Show, Switch } from "solid-js";
import { api, type Inputs } from "../../lib/api.ts";
import { checkName } from "../../lib/typed-text.ts";
import { RadioCards } from "../../ui/choices.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { createForm } from "../../ui/create-form.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { createRatesForm, RateFields } from "../shared/rate-limits.tsx";
import type { Project } from "../shared/use-projects.ts";

/** Which dialog is open, and for which project. */
export type ProjectChange =
  | { readonly kind: "create" }
  | { readonly kind: "rename" | "limits" | "archive"; readonly project: Project };

type ProjectDialogsProps = {
  change: ProjectChange | undefined;
  onClose: () => void;
  onChanged: (id: string) => void;
};

type KeyFate = Inputs["projects"]["archive"]["keys"];

export default function ProjectDialogs(props: ProjectDialogsProps): JSX.Element {
  const of = (kind: "rename" | "limits" | "archive") =>
    props.change?.kind === kind ? props.change.project : undefined;
  const done = (id: string, text: string) => {
    props.onClose();
    props.onChanged(id);
    showToast(text);
  };
  return (
    <>
      <Switch>
        <Match when={props.change?.kind === "create"}>
          <NameProject onClose={props.onClose} onDone={done} />
        </Match>
        <Match when={of("rename")} keyed>
          {(project) => <NameProject of={project} onClose={props.onClose} onDone={done} />}
        </Match>
        <Match when={of("limits")} keyed>
          {(project) => <LimitProject of={project} onClose={props.onClose} onDone={done} />}
        </Match>
      </Switch>
      <ArchiveDialog of={of("archive")} onClose={props.onClose} onDone={done} />
    </>
  );
}

type DialogProps<Of> = {
  of: Of;
  onClose: () => void;
  onDone: (id: string, text: string) => void;
};

/** A new one, or another name for one. */
function NameProject(props: Omit<DialogProps<Project>, "of"> & { of?: Project }): JSX.Element {
  const form = createForm({
    initial: { name: props.of?.name ?? "" },
    validate: ({ name }) => ({
      name: checkName(name, "Enter a name for this project.", "project"),
    }),
    async submit(values) {
      const name = values.name.trim();
      if (props.of === undefined) {
        const { id } = await api.projects.create.mutate({ name });
        return props.onDone(id, `Created ${name}`);
      }
      const { id } = props.of;
      await api.projects.rename.mutate({ id, name });
      props.onDone(id, `Renamed to ${name}`);
    },
  });
  return (
    <FormDialog
      form={form}
      title={props.of ? `Rename ${props.of.name}` : "Create project"}
      label={props.of ? "Save name" : "Create project"}
      pendingLabel={props.of ? "Saving…" : "Creating…"}
      onClose={props.onClose}
    >
      <TextField
        {...form.field("name")}
        label="Name"
        hint="e.g. a team, a product or a customer"
        autocomplete="off"
        autofocus
      />
    </FormDialog>
  );
}

function LimitProject(props: DialogProps<Project>): JSX.Element {
  const { id, name } = props.of;
  const form = createRatesForm(props.of, async (limits) => {
    await api.projects.setLimits.mutate({ id, ...limits });
    props.onDone(id, `Saved the rate limits of ${name}`);
  });
  return (
    <FormDialog
      form={form}
      title={`Rate limits of ${name}`}
      description="For all requests of this project together, beside the limits of its keys and of the account. Leave a field empty for no limit."
      label="Save limits"
      pendingLabel="Saving…"
      onClose={props.onClose}
    >
      <RateFields form={form} />
    </FormDialog>
  );
}

function ArchiveDialog(props: DialogProps<Project | undefined>): JSX.Element {
  const [keys, setKeys] = createSignal<KeyFate>("move");
  const name = () => props.of?.name ?? "";
  return (
    <ConfirmDialog
      of={props.of}
      onClose={props.onClose}
      title={`Archive ${name()}?`}
      confirmLabel="Archive project"
      pendingLabel="Archiving…"
      destructive={keys() === "revoke"}
      change={({ id }) => api.projects.archive.mutate({ id, keys: keys() })}
      onDone={(_, { id, name }) => props.onDone(id, `Archived ${name}`)}
    >
      <p>It is no longer offered for new keys. Its usage and logs stay, and it can be restored.</p>
      <Show when={(props.of?.liveKeys ?? 0) > 0}>
        <RadioCards
          legend="Its API keys"
          name="keys"
          value={keys()}
          onChange={setKeys}
          choices={[
            {
              value: "move",
              label: "Move them",
              hint: "They keep working, in the default project.",
            },
            {
              value: "revoke",
              label: "Revoke them",
              hint: "They stop working within a second, for good.",
            },
          ]}
        />
      </Show>
    </ConfirmDialog>
  );
}
