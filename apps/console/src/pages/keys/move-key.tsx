// Moves a key to another project.
import type { JSX } from "solid-js";
import { api } from "../../lib/api.ts";
import { useRefresh } from "../../lib/use-refresh.ts";
import { createForm } from "../../ui/create-form.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { showToast } from "../../ui/toasts.tsx";
import type { Key } from "../shared/key-spend.tsx";
import { projectsKey, useProjects } from "../shared/use-projects.ts";
import { keysQueryKey } from "./keys-query-key.ts";
import { ProjectField } from "./project-field.tsx";

export function MoveKey(props: { of: Key; onClose: () => void }): JSX.Element {
  const refresh = useRefresh();
  const projects = useProjects();
  const form = createForm({
    initial: { projectId: String(props.of.projectId) },
    async submit({ projectId }) {
      await api.keys.move.mutate({ id: props.of.id, projectId });
      const project = projects.data?.find(({ id }) => id === projectId)?.name ?? "";
      showToast(`Moved ${props.of.name} to ${project}`);
      props.onClose();
      await refresh(keysQueryKey, projectsKey);
    },
  });
  return (
    <FormDialog
      form={form}
      title={`Move ${props.of.name}`}
      label="Move key"
      pendingLabel="Saving…"
      onClose={props.onClose}
    >
      <ProjectField
        value={form.values.projectId}
        hint="Its usage and logs are shown there, those of the past too. From now on it spends from the budgets of that project."
        onChange={(projectId) => form.set("projectId", projectId)}
      />
    </FormDialog>
  );
}
