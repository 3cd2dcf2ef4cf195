// What can be done to a member: another role, other projects, the offer of ownership, removal with what happens to their keys.
import type { JSX } from "solid-js";
import { createSignal, For, Show } from "solid-js";
import { type Answers, api, type Inputs } from "../../lib/api.ts";
import { changesOf, type MemberChangeKind, memberChangeNames } from "../../lib/member-changes.ts";
import { useMay } from "../../lib/session.ts";
import { roleNames } from "../../shell/role-names.ts";
import { RadioCards } from "../../ui/choices.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { createForm } from "../../ui/create-form.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormActions, FormFrame } from "../../ui/form.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { useChange } from "../../ui/use-change.ts";
import { useSeveralProjects } from "../shared/projects.tsx";
import { checkScope, ProjectScopeField, readScope, writeScope } from "./project-scope.tsx";

const roleHints = {
  admin: "Everything except ownership",
  billing: "Money, usage and the names of keys",
  developer: "Own API keys, their usage and logs, playground",
  viewer: "Looks at everything, changes nothing",
} as const;

export type ListedMember = Answers["members"]["list"][number];

export type MemberChange = {
  readonly kind: MemberChangeKind;
  readonly member: ListedMember;
};

type KeyFate = Inputs["members"]["remove"]["keys"];

/** Nobody is made an owner here: ownership is offered. */
export const roleChoices = (["admin", "billing", "developer", "viewer"] as const).map((value) => ({
  value,
  label: roleNames[value],
  hint: roleHints[value],
}));

type MemberMenuProps = {
  of: ListedMember;
  onChange: (change: MemberChange) => void;
  onDone: () => void;
};

export function MemberMenu(props: MemberMenuProps): JSX.Element {
  const isOwner = useMay("account.own");
  const changes = useMemberChanges();
  const withdraw = useChange(
    () => api.accounts.withdrawOwnership.mutate({ personId: props.of.id }),
    { onDone: props.onDone },
  );
  return (
    <Show when={changes(props.of).length > 0}>
      <Menu label={`Actions for ${props.of.email}`}>
        <Show when={isOwner() && props.of.isOfferedOwnership}>
          <MenuItem changes onSelect={() => withdraw.mutate()}>
            Withdraw offer
          </MenuItem>
        </Show>
        <For each={changes(props.of)}>
          {(kind) => (
            <MenuItem
              changes
              destructive={kind === "remove"}
              onSelect={() => props.onChange({ kind, member: props.of })}
            >
              {memberChangeNames[kind]}
            </MenuItem>
          )}
        </For>
      </Menu>
    </Show>
  );
}

/** What this person may change of a member. */
export function useMemberChanges(): (of: ListedMember) => readonly MemberChangeKind[] {
  const mayChange = useMay("members.change");
  const isOwner = useMay("account.own");
  const several = useSeveralProjects();
  return (of) =>
    mayChange() ? changesOf(of, { isOwner: isOwner(), severalProjects: several() }) : [];
}

type MemberDialogsProps = {
  change: MemberChange | undefined;
  onClose: () => void;
  onDone: () => void;
};

export function MemberDialogs(props: MemberDialogsProps): JSX.Element {
  const memberOf = (kind: MemberChange["kind"]) =>
    props.change?.kind === kind ? props.change.member : undefined;
  const done = (text: string) => {
    props.onClose();
    props.onDone();
    showToast(text);
  };
  return (
    <>
      <Show when={memberOf("role")} keyed>
        {(member) => <RoleDialog member={member} onClose={props.onClose} onDone={done} />}
      </Show>
      <Show when={memberOf("projects")} keyed>
        {(member) => <ProjectsDialog member={member} onClose={props.onClose} onDone={done} />}
      </Show>
      <OfferDialog member={memberOf("offer")} onClose={props.onClose} onDone={done} />
      <RemoveDialog member={memberOf("remove")} onClose={props.onClose} onDone={done} />
    </>
  );
}

type DialogProps<Member> = {
  member: Member;
  onClose: () => void;
  onDone: (text: string) => void;
};

function RoleDialog(props: DialogProps<ListedMember>): JSX.Element {
  const { email, id: personId, role } = props.member;
  const form = createForm({
    initial: { role: role === "owner" ? "admin" : role },
    async submit(chosen) {
      await api.members.changeRole.mutate({ personId, role: chosen.role });
      const name = roleNames[chosen.role].toLowerCase();
      props.onDone(`${email} is now ${name}.`);
    },
  });
  return (
    <Dialog open onOpenChange={props.onClose} title={`Change the role of ${email}`}>
      <FormFrame form={form}>
        <RadioCards
          legend="Role"
          hideLegend
          name="role"
          value={form.values.role}
          onChange={(chosen) => form.set("role", chosen)}
          choices={roleChoices}
        />
        <FormActions form={form} label="Change role" pendingLabel="Change role" />
      </FormFrame>
    </Dialog>
  );
}

function ProjectsDialog(props: DialogProps<ListedMember>): JSX.Element {
  const { email, id: personId } = props.member;
  const form = createForm({
    initial: { scope: writeScope(props.member.projectIds) },
    validate: ({ scope }) => ({ scope: checkScope(scope) }),
    async submit({ scope }) {
      await api.members.setProjects.mutate({ personId, projectIds: readScope(scope) });
      props.onDone(`The projects of ${email} are saved.`);
    },
  });
  return (
    <Dialog open onOpenChange={props.onClose} title={`Change the projects of ${email}`}>
      <FormFrame form={form}>
        <ProjectScopeField {...form.field("scope")} />
        <FormActions form={form} label="Change projects" pendingLabel="Saving…" />
      </FormFrame>
    </Dialog>
  );
}

function OfferDialog(props: DialogProps<ListedMember | undefined>): JSX.Element {
  const email = () => props.member?.email ?? "";
  return (
    <ConfirmDialog
      of={props.member}
      onClose={props.onClose}
      title={`Offer ${email()} the ownership?`}
      confirmLabel="Offer ownership"
      change={({ id: personId }) => api.accounts.offerOwnership.mutate({ personId })}
      onDone={(_, member) => props.onDone(`${member.email} was offered the ownership.`)}
    >
      Once they accept, they are an owner like you: they decide about members, money and the
      organization itself. Nothing changes until then.
    </ConfirmDialog>
  );
}

function RemoveDialog(props: DialogProps<ListedMember | undefined>): JSX.Element {
  const [keys, setKeys] = createSignal<KeyFate>("revoke");
  const email = () => props.member?.email ?? "";
  return (
    <ConfirmDialog
      of={props.member}
      onClose={props.onClose}
      title={`Remove ${email()}?`}
      confirmLabel="Remove"
      pendingLabel="Removing…"
      change={({ id: personId }) => api.members.remove.mutate({ personId, keys: keys() })}
      onDone={(_, member) => props.onDone(`${member.email} was removed.`)}
    >
      <p>They lose access with their next request. Invitations they sent stop working.</p>
      <RadioCards
        legend="API keys they made"
        name="keys"
        value={keys()}
        onChange={setKeys}
        choices={[
          {
            value: "revoke",
            label: "Revoke them",
            hint: "Programs that use them are refused within a second.",
          },
          {
            value: "keep",
            label: "Keep them",
            hint: "They keep working. The person may still know the secrets.",
          },
          {
            value: "hand_over",
            label: "Hand them over to me",
            hint: "They keep working, as keys that you made.",
          },
        ]}
      />
    </ConfirmDialog>
  );
}
