// The dialogs of projects: create, rename, limit, and archive, with a choice of what happens to the keys.
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { api, type Inputs } from "../../lib/api.ts";
import { RadioCards } from "../../ui/choices.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { createForm } from "../../ui/create-form.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormActions, FormFrame } from "../../ui/form.tsx";
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

const nameMax = 64;

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
      <Dialog
        open={props.change?.kind === "create"}
        onOpenChange={props.onClose}
        title="Create project"
      >
        <NameForm
          submitLabel="Create project"
          pendingLabel="Creating…"
          onClose={props.onClose}
          save={async (name) => {
            const { id } = await api.projects.create.mutate({ name });
            done(id, `Created ${name}`);
          }}
        />
      </Dialog>
      <Dialog
        open={of("rename") !== undefined}
        onOpenChange={props.onClose}
        title={`Rename ${of("rename")?.name ?? ""}`}
      >
        <Show when={of("rename")} keyed>
          {({ id, name: before }) => (
            <NameForm
              name={before}
              submitLabel="Save name"
              pendingLabel="Saving…"
              onClose={props.onClose}
              save={async (name) => {
                await api.projects.rename.mutate({ id, name });
                done(id, `Renamed to ${name}`);
              }}
            />
          )}
        </Show>
      </Dialog>
      <Dialog
        open={of("limits") !== undefined}
        onOpenChange={props.onClose}
        title={`Rate limits of ${of("limits")?.name ?? ""}`}
        description="For all requests of this project together, beside the limits of its keys and of the account. Leave a field empty for no limit."
      >
        <Show when={of("limits")} keyed>
          {(project) => <LimitsForm of={project} onClose={props.onClose} onDone={done} />}
        </Show>
      </Dialog>
      <ArchiveDialog of={of("archive")} onClose={props.onClose} onDone={done} />
    </>
  );
}

type NameFormProps = {
  name?: string;
  submitLabel: string;
  pendingLabel: string;
  onClose: () => void;
  save: (name: string) => Promise<void>;
};

function NameForm(props: NameFormProps): JSX.Element {
  const form = createForm({
    initial: { name: props.name ?? "" },
    validate: ({ name }) => ({ name: checkName(name) }),
    submit: ({ name }) => props.save(name.trim()),
  });
  return (
    <FormFrame form={form}>
      <TextField
        {...form.field("name")}
        label="Name"
        hint="e.g. a team, a product or a customer"
        autocomplete="off"
        autofocus
      />
      <FormActions
        form={form}
        label={props.submitLabel}
        pendingLabel={props.pendingLabel}
        onCancel={props.onClose}
      />
    </FormFrame>
  );
}

function checkName(text: string): string | undefined {
  const name = text.trim();
  if (name === "") return "Enter a name for this project.";
  return name.length > nameMax ? "Use at most 64 characters." : undefined;
}

type LimitsFormProps = {
  of: Project;
  onClose: () => void;
  onDone: (id: string, text: string) => void;
};

function LimitsForm(props: LimitsFormProps): JSX.Element {
  const { id, name } = props.of;
  const form = createRatesForm(props.of, async (limits) => {
    await api.projects.setLimits.mutate({ id, ...limits });
    props.onDone(id, `Saved the rate limits of ${name}`);
  });
  return (
    <FormFrame form={form}>
      <RateFields form={form} />
      <FormActions
        form={form}
        label="Save limits"
        pendingLabel="Saving…"
        onCancel={props.onClose}
      />
    </FormFrame>
  );
}

type ArchiveDialogProps = {
  of: Project | undefined;
  onClose: () => void;
  onDone: (id: string, text: string) => void;
};

function ArchiveDialog(props: ArchiveDialogProps): JSX.Element {
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
