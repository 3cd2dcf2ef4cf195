// The actions of one project, as a menu at the end of its row.
import { useMutation } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { describeFailure } from "../../lib/describe-failure.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { useMay } from "../../lib/session.ts";
import { iconButtonClass } from "../../ui/button.tsx";
import { Ellipsis } from "../../ui/icons.ts";
import { Menu, MenuItem, MenuLink, MenuSeparator } from "../../ui/menu.tsx";
import { showToast } from "../../ui/toasts.tsx";
import type { Project } from "../shared/use-projects.ts";
import type { ProjectChange } from "./project-dialogs.tsx";

type ProjectMenuProps = {
  of: Project;
  mayChange: boolean;
  onChange: (change: ProjectChange) => void;
  onChanged: () => void;
};

export function ProjectMenu(props: ProjectMenuProps): JSX.Element {
  const mayReadKeys = useMay("keys.read");
  const mayReadUsage = useMay("usage.read");
  const mayReadLogs = useMay("logs.read");
  const restore = useMutation(() => ({
    mutationFn: (project: Project) => api.projects.restore.mutate({ id: project.id }),
    onSuccess(_, { name }) {
      props.onChanged();
      showToast(`Restored ${name}`);
    },
    onError: (error) => showToast({ text: describeFailure(readFailure(error)), isError: true }),
  }));
  return (
    <Menu
      label={`Actions for ${props.of.name}`}
      triggerClass={iconButtonClass()}
      trigger={<Ellipsis class="size-4" aria-hidden="true" />}
    >
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
        <MenuItem changes onSelect={() => props.onChange({ kind: "rename", project: props.of })}>
          Rename
        </MenuItem>
        <MenuItem changes onSelect={() => props.onChange({ kind: "limits", project: props.of })}>
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
            <MenuItem
              changes
              onSelect={() => props.onChange({ kind: "archive", project: props.of })}
            >
              Archive
            </MenuItem>
          </Show>
        </Show>
      </Show>
    </Menu>
  );
}
