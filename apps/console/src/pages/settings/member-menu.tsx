// What can be done to a member, as a menu: what needs no dialog is done here.
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { type MemberChangeKind, memberChangeNames } from "../../lib/member-changes.ts";
import { useMay } from "../../lib/session.ts";
import { useChange } from "../../ui/buttons/use-change.ts";
import { Menu, MenuItem } from "../../ui/menus/menu.tsx";
import { changeMember } from "./change-member.tsx";
import type { ListedMember } from "./member-roles.ts";

type MemberMenuProps = {
  of: ListedMember;
  changes: readonly MemberChangeKind[];
  onDone: () => void;
};

export default function MemberMenu(props: MemberMenuProps): JSX.Element {
  const isOwner = useMay("account.own");
  const withdraw = useChange(
    () => api.accounts.withdrawOwnership.mutate({ personId: props.of.id }),
    { onDone: props.onDone },
  );
  return (
    <Menu label={`Actions for ${props.of.email}`}>
      <Show when={isOwner() && props.of.isOfferedOwnership}>
        <MenuItem changes onSelect={() => withdraw.mutate()}>
          Withdraw offer
        </MenuItem>
      </Show>
      <For each={props.changes}>
        {(kind) => (
          <MenuItem
            changes
            destructive={kind === "remove"}
            onSelect={() => changeMember[kind](props.of)}
          >
            {memberChangeNames[kind]}
          </MenuItem>
        )}
      </For>
    </Menu>
  );
}
