// Invitations to the organization: sent, sent again, revoked, and confirmed for who uses another address.
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { isEmail } from "../../lib/is-email.ts";
import { createStableRows } from "../../lib/stable-rows.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { roleNames } from "../../shell/role-names.ts";
import { ChangeButton, RowButton } from "../../ui/buttons/change-button.tsx";
import { useChange } from "../../ui/buttons/use-change.ts";
import { Select } from "../../ui/forms/choices.tsx";
import { createForm } from "../../ui/forms/create-form.ts";
import { FormFrame, SubmitButton } from "../../ui/forms/form.tsx";
import { EmailField } from "../../ui/forms/text-field.tsx";
import { Asked } from "../../ui/layout/asked.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Banner } from "../../ui/notices/banner.tsx";
import { textColumn, timeColumn } from "../../ui/tables/columns.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { TableStates } from "../../ui/tables/table-states.tsx";
import { roleChoices } from "./member-roles.ts";
import {
  checkScope,
  ProjectScopeField,
  ProjectScopeText,
  parseScope,
  writeScope,
} from "./project-scope.tsx";

type Invitation = Answers["members"]["invitations"][number];

const membersKey = ["members"] as const;
const invitationsKey = [...membersKey, "invitations"] as const;

const columns: readonly Column<Invitation>[] = [
  textColumn("email", "Email", ({ email }) => email),
  { id: "role", title: "Role", cell: ({ role }) => roleNames[role] },
  textColumn("projects", "Projects", ({ projectIds }) => <ProjectScopeText of={projectIds} />),
  timeColumn("expires", "Expires", ({ expired, expiresAt }) => (expired ? null : expiresAt), {
    none: "Expired",
  }),
];

export function InvitationsCard(): JSX.Element {
  const query = useAnswer(invitationsKey, (call) => api.members.invitations.query(undefined, call));
  const resend = useChange(({ id }: Invitation) => api.invitations.resend.mutate({ id }), {
    refreshes: membersKey,
    toast: (_, { email }) => `A new link was sent to ${email}. The former one no longer works.`,
  });
  const revoke = useChange(({ id }: Invitation) => api.invitations.revoke.mutate({ id }), {
    refreshes: membersKey,
    toast: (_, { email }) => `The invitation of ${email} was revoked.`,
  });
  const rows = createStableRows(() => query.data ?? []);
  return (
    <Card title="Invitations" description="An invitation works for 7 days.">
      <div class="flex flex-col gap-5">
        <Asked as="invite-member">
          <InviteForm />
        </Asked>
        <For each={rows().filter(({ claimedBy }) => claimedBy !== null)}>
          {(invitation) => <Claim of={invitation} />}
        </For>
        <TableStates
          query={query}
          what="the invitations"
          empty={<p class="text-muted">No open invitations.</p>}
          caption="Open invitations"
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          actions={(invitation) => (
            <span class="inline-flex gap-1">
              <RowButton
                text="Send again"
                of={invitation.email}
                onClick={() => resend.mutate(invitation)}
              />
              <RowButton
                text="Revoke"
                of={invitation.email}
                onClick={() => revoke.mutate(invitation)}
              />
            </span>
          )}
        />
      </div>
    </Card>
  );
}

function InviteForm(): JSX.Element {
  const start = {
    email: "",
    role: "developer" as (typeof roleChoices)[number]["value"],
    scope: writeScope(null),
  };
  const form = createForm({
    initial: start,
    draft: "invitation",
    validate: ({ email, role, scope }) => ({
      email: isEmail(email.trim()) ? undefined : "Enter a valid email address.",
      scope: role === "admin" ? undefined : checkScope(scope),
    }),
    async submit({ email, role, scope }) {
      // Admins have all of them.
      const projectIds = role === "admin" ? null : parseScope(scope);
      await api.invitations.create.mutate({ email: email.trim(), role, projectIds });
      form.reset({ email: "", role, scope });
    },
    refreshes: invitationsKey,
    toast: ({ email }) => `Invitation sent to ${email.trim()}.`,
  });
  return (
    <FormFrame form={form}>
      <div class="grid gap-4 sm:grid-cols-[2fr_1fr]">
        <EmailField {...form.field("email")} label="Email" autocomplete="off" />
        <Select
          label="Role"
          name="role"
          value={form.values.role}
          onChange={(role) => form.set("role", role)}
          choices={roleChoices}
        />
      </div>
      <Show when={form.values.role !== "admin"}>
        <ProjectScopeField {...form.field("scope")} />
      </Show>
      <SubmitButton form={form} label="Send invitation" pendingLabel="Sending…" />
    </FormFrame>
  );
}

function Claim(props: { of: Invitation }): JSX.Element {
  const claimer = () => props.of.claimedBy ?? "";
  const confirm = useChange(
    () => api.invitations.confirm.mutate({ id: props.of.id, email: claimer() }),
    { refreshes: membersKey, toast: () => `${claimer()} joined.` },
  );
  return (
    <Banner
      tone="info"
      action={
        <ChangeButton size="small" change={confirm}>
          Let {claimer()} join
        </ChangeButton>
      }
    >
      <span class="wrap-anywhere">
        {props.of.email}: {claimer()} opened this invitation and wants to join with that address.
      </span>
    </Banner>
  );
}
