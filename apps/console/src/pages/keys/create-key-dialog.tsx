// Creates a key: a name, optional limits, and then the key itself, once.
import type { JSX } from "solid-js";
import { createMemo, createSignal } from "solid-js";
import { api } from "../../lib/api.ts";
import { useModels } from "../../lib/queries.ts";
import { useTimeZone } from "../../lib/session.ts";
import { checkName } from "../../lib/typed-text.ts";
import { SecretDialog } from "../../product/keys/secret-dialog.tsx";
import { createForm } from "../../ui/forms/create-form.ts";
import { FormActions, FormFrame } from "../../ui/forms/form.tsx";
import { TextField } from "../../ui/forms/text-field.tsx";
import { checkLimits, limitsInput, nameMissing, noLimitValues } from "./key-limits.ts";
import { LimitFields } from "./limit-fields.tsx";
import { ProjectField, useChosenProject } from "./project-field.tsx";

type CreateKeyDialogProps = {
  open: boolean;
  /** The project the list shows; otherwise the default one. */
  projectId?: string | undefined;
  /** Closed, or done with the form. */
  onClose: () => void;
  /** Called with the new key's id once its owner has seen it. */
  onCreated: (id: string) => void;
};

export default function CreateKeyDialog(props: CreateKeyDialogProps): JSX.Element {
  const [made, setMade] = createSignal<{ id: string; key: string }>();
  const show = (created: { id: string; key: string }) => {
    setMade(created);
    // From now on the secret keeps the dialog open; a reload must not ask for another key.
    props.onClose();
  };
  const close = () => {
    const id = made()?.id;
    setMade(undefined);
    props.onClose();
    if (id !== undefined) props.onCreated(id);
  };
  return (
    <SecretDialog
      open={props.open}
      title="Create API Key"
      secret={made()?.key}
      keyId={made()?.id}
      onClose={close}
    >
      <CreateKeyForm projectId={props.projectId} onCancel={close} onMade={show} />
    </SecretDialog>
  );
}

type CreateKeyFormProps = {
  projectId: string | undefined;
  onCancel: () => void;
  onMade: (made: { id: string; key: string }) => void;
};

function CreateKeyForm(props: CreateKeyFormProps): JSX.Element {
  // One per opened form: however often it is sent, it creates one key.
  const attemptId = crypto.randomUUID();
  const models = useModels();
  const timeZone = useTimeZone();
  const chosenProject = useChosenProject();
  const known = createMemo(() => new Set(models.data?.map((model) => model.id) ?? []));
  const form = createForm({
    initial: { name: "", projectId: props.projectId ?? "", ...noLimitValues },
    draft: "create-key",
    validate: (values) => ({
      name: checkName(values.name, nameMissing),
      ...checkLimits(values, known(), timeZone()),
    }),
    async submit(values) {
      const limits = limitsInput(values, timeZone());
      const projectId = chosenProject(values.projectId);
      const input = {
        name: values.name.trim(),
        attemptId,
        ...(limits && { limits }),
        ...(projectId !== "" && { projectId }),
      };
      props.onMade(await api.keys.create.mutate(input));
    },
  });
  return (
    <FormFrame form={form}>
      <TextField
        {...form.field("name")}
        label="Name"
        hint="e.g. production, ci, my-laptop"
        autocomplete="off"
        autofocus
      />
      <ProjectField
        value={form.values.projectId}
        onChange={(projectId) => form.set("projectId", projectId)}
      />
      <details class="rounded-card border border-border">
        <summary class="cursor-pointer px-4 py-2.5 font-medium">
          Limits and access{" "}
          <span class="text-sm font-normal text-muted">Optional. You can change them later.</span>
        </summary>
        <div class="border-t border-border p-4">
          <LimitFields form={form} />
        </div>
      </details>
      <FormActions
        form={form}
        label="Create key"
        pendingLabel="Creating…"
        onCancel={props.onCancel}
      />
    </FormFrame>
  );
}
