// Moves a key to another project.
import type { JSX } from "solid-js";
import { api } from "../../lib/api.ts";
import type { Key } from "../../product/keys/key-spend.tsx";
import { projectsKey, useProjects } from "../../product/projects/use-projects.ts";
import ChangeDialog, { type Change } from "../../ui/dialogs/change-dialog.tsx";
import { keysQueryKey } from "./keys-query-key.ts";
import { ProjectField } from "./project-field.tsx";

export default function MoveKey(props: { of: Key; onClose: () => void }): JSX.Element {
  const projects = useProjects();
  const { id, name } = props.of;
  const nameOf = (chosen: string) => projects.data?.find((one) => one.id === chosen)?.name ?? "";
  const change: Change<{ projectId: string }, unknown> = {
    title: `Move ${name}`,
    initial: { projectId: String(props.of.projectId) },
    fields: (form) => (
      <ProjectField
        value={form.values.projectId}
        hint="Its usage and logs are shown there, those of the past too. From now on it spends from the budgets of that project."
        onChange={(projectId) => form.set("projectId", projectId)}
      />
    ),
    confirmLabel: "Move key",
    pendingLabel: "Saving…",
    run: ({ projectId }) => api.keys.move.mutate({ id, projectId }),
    refreshes: [keysQueryKey, projectsKey],
    toast: (_, { projectId }) => `Moved ${name} to ${nameOf(projectId)}`,
  };
  return <ChangeDialog change={change} onClose={props.onClose} />;
}
