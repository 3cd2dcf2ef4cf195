// The actions of one key, as a menu at the end of its row and on its page.
import { useMutation, useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { describeError } from "../../lib/describe-failure.ts";
import type { Key } from "../../product/keys/key-spend.tsx";
import { useProjectChoices } from "../../product/projects/projects.tsx";
import { Menu, MenuItem, MenuLink, MenuSeparator } from "../../ui/menus/menu.tsx";
import { showToast } from "../../ui/notices/toasts.tsx";
import { changeKey } from "./change-key.tsx";
import { keysQueryKey } from "./keys-query-key.ts";

export default function KeyMenu(props: { of: Key }): JSX.Element {
  const pause = usePause();
  const choices = useProjectChoices();
  const ask = (kind: keyof typeof changeKey) => () => changeKey[kind](props.of);
  return (
    <Menu label={`Actions for ${props.of.name}`}>
      <MenuLink href={`/keys/${props.of.id}`}>View details</MenuLink>
      <MenuLink href={`/logs?keys=${props.of.id}`}>View logs</MenuLink>
      <Show when={props.of.status !== "revoked"}>
        <MenuSeparator />
        <MenuItem changes onSelect={ask("edit")}>
          Edit
        </MenuItem>
        <Show when={choices().length > 1}>
          <MenuItem changes onSelect={ask("move")}>
            Move to another project
          </MenuItem>
        </Show>
        <MenuItem
          changes
          onSelect={() => pause.mutate({ key: props.of, disabled: props.of.status !== "disabled" })}
        >
          {props.of.status === "disabled" ? "Enable" : "Disable"}
        </MenuItem>
        <MenuItem changes onSelect={ask("rotate")}>
          Rotate secret
        </MenuItem>
        <Show when={props.of.previousUntil}>
          <MenuItem changes onSelect={ask("endPrevious")}>
            Revoke old secret
          </MenuItem>
        </Show>
        <MenuSeparator />
        <MenuItem changes destructive onSelect={ask("revoke")}>
          Revoke
        </MenuItem>
      </Show>
    </Menu>
  );
}

/** Reversible, so it does not ask first and offers Undo. */
function usePause() {
  const client = useQueryClient();
  const pause = useMutation(() => ({
    mutationFn: ({ key, disabled }: { key: Key; disabled: boolean }) =>
      api.keys.setDisabled.mutate({ id: key.id, disabled }),
    // Optimistic; the server's answer wins.
    onMutate: ({ key, disabled }: { key: Key; disabled: boolean }) =>
      client.setQueriesData<readonly Key[]>({ queryKey: [...keysQueryKey, "list"] }, (keys) =>
        keys?.map((row) =>
          row.id === key.id ? { ...row, status: disabled ? "disabled" : "active" } : row,
        ),
      ),
    async onSuccess(_: unknown, { key, disabled }: { key: Key; disabled: boolean }) {
      showToast({
        text: disabled ? `Disabled ${key.name}` : `Enabled ${key.name}`,
        action: {
          label: "Undo",
          run: () => pause.mutate({ key, disabled: !disabled }),
        },
      });
      await client.invalidateQueries({ queryKey: keysQueryKey });
    },
    async onError(error: Error) {
      showToast({ text: describeError(error), isError: true });
      await client.invalidateQueries({ queryKey: keysQueryKey });
    },
  }));
  return pause;
}
