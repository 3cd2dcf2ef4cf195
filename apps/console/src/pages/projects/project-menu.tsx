// The actions of one project, as a menu at the end of its row.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { useMay } from "../../lib/session.ts";
import type { Project } from "../../product/projects/use-projects.ts";
import { useChange } from "../../ui/buttons/use-change.ts";
import { Menu, MenuItem, MenuLink, MenuSeparator } from "../../ui/menus/menu.tsx";
import { archiveProject, limitProject, renameProject } from "./project-changes.tsx";

type ProjectMenuProps = {
  of: Project;
  mayChange: boolean;
  /** Of which one its row shows; undefined to show none. */
  onChanged: (id?: string) => void;
};

export default function ProjectMenu(props: ProjectMenuProps): JSX.Element {
  const mayReadKeys = useMay("keys.read");
  const mayReadUsage = useMay("usage.read");
  const mayReadLogs = useMay("logs.read");
  const restore = useChange(({ id }: Project) => api.projects.restore.mutate({ id }), {
    refreshes: ["projects"],
    onDone: () => props.onChanged(),
    toast: (_, { name }) => `Restored ${name}`,
  });
  return (
    <Menu label={`Actions for ${props.of.name}`}>
      <Show when={mayReadKeys()}>
        <MenuLink href={`/keys?projects=${props.of.id}`}>View keys</MenuLink>
      </Show>
      <Show when={mayReadUsage()}>
        <MenuLink href={`/usage?range=30d&projects=${props.of.id}`}>View usage</MenuLink>
      </Show>
      <Show when={mayReadLogs()}>
        <MenuLink href={`/logs?projects=${props.of.id}`}>View logs</MenuLink>
      </Show>
      <Show when={props.mayChange}>
        <MenuSeparator />
        <MenuItem changes onSelect={() => renameProject(props.of, props.onChanged)}>
          Rename
        </MenuItem>
        <MenuItem changes onSelect={() => limitProject(props.of, props.onChanged)}>
          Rate limits
        </MenuItem>
        <Show when={!props.of.isDefault}>
          <Show
            when={props.of.archivedAt === null}
            fallback={
              <MenuItem changes onSelect={() => restore.mutate(props.of)}>
                Restore
              </MenuItem>
            }
          >
            <MenuItem changes onSelect={() => archiveProject(props.of, props.onChanged)}>
              Archive
            </MenuItem>
          </Show>
        </Show>
      </Show>
    </Menu>
  );
}
