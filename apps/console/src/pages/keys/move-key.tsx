// Moves a key to another project.
import { useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { createForm } from "../../ui/create-form.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormActions, FormFrame } from "../../ui/form.tsx";
import { showToast } from "../../ui/toasts.tsx";
import type { Key } from "../shared/key-spend.tsx";
import { projectsKey, useProjects } from "../shared/use-projects.ts";
import { keysQueryKey } from "./keys-query-key.ts";
import { ProjectField } from "./project-field.tsx";

export default function MoveKey(props: { of: Key | undefined; onClose: () => void }): JSX.Element {
  return (
    <Dialog
      open={props.of !== undefined}
      onOpenChange={props.onClose}
      title={`Move ${props.of?.name ?? ""}`}
    >
      <Show when={props.of} keyed>
        {(key) => <MoveKeyForm of={key} onClose={props.onClose} />}
      </Show>
    </Dialog>
  );
}

function MoveKeyForm(props: { of: Key; onClose: () => void }): JSX.Element {
  const client = useQueryClient();
  const projects = useProjects();
  const form = createForm({
    initial: { projectId: String(props.of.projectId) },
    async submit({ projectId }) {
      await api.keys.move.mutate({ id: props.of.id, projectId });
      const project = projects.data?.find(({ id }) => id === projectId)?.name ?? "";
      showToast(`Moved ${props.of.name} to ${project}`);
      props.onClose();
      await Promise.all(
        [keysQueryKey, projectsKey].map((queryKey) => client.invalidateQueries({ queryKey })),
      );
    },
  });
  return (
    <FormFrame form={form}>
      <ProjectField
        value={form.values.projectId}
        hint="Its usage and logs are shown there, those of the past too. From now on it spends from the budgets of that project."
        onChange={(projectId) => form.set("projectId", projectId)}
      />
      <FormActions form={form} label="Move key" pendingLabel="Saving…" onCancel={props.onClose} />
    </FormFrame>
  );
}
