// What can be done to a member: another role, other projects, the offer of ownership, removal with what happens to their keys.
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { api, type Inputs } from "../../lib/api.ts";
import type { MemberChangeKind } from "../../lib/member-changes.ts";
import { roleNames } from "../../shell/role-names.ts";
import { RadioCards } from "../../ui/choices.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { createForm } from "../../ui/create-form.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { type ListedMember, type MemberChange, roleChoices } from "./member-roles.ts";
import { checkScope, ProjectScopeField, readScope, writeScope } from "./project-scope.tsx";

type KeyFate = Inputs["members"]["remove"]["keys"];

type MemberDialogsProps = {
  change: MemberChange | undefined;
  onClose: () => void;
  onDone: () => void;
};

export default function MemberDialogs(props: MemberDialogsProps): JSX.Element {
  const memberOf = (kind: MemberChangeKind) =>
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
    <FormDialog
      form={form}
      title={`Change the role of ${email}`}
      label="Change role"
      pendingLabel="Saving…"
      onClose={props.onClose}
    >
      <RadioCards
        legend="Role"
        hideLegend
        name="role"
        value={form.values.role}
        onChange={(chosen) => form.set("role", chosen)}
        choices={roleChoices}
      />
    </FormDialog>
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
    <FormDialog
      form={form}
      title={`Change the projects of ${email}`}
      label="Change projects"
      pendingLabel="Saving…"
      onClose={props.onClose}
    >
      <ProjectScopeField {...form.field("scope")} />
    </FormDialog>
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
        legend="Their API keys"
        name="keys"
        value={keys()}
        onChange={setKeys}
        choices={[
          {
            value: "revoke",
            label: "Revoke them",
            hint: "Also keys whose secret they were shown, and webhooks to addresses they chose. Programs that use them are refused within a second.",
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
