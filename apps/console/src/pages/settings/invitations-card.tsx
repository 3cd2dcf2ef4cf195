// Invitations to the organization: sent, sent again, revoked, and confirmed for who uses another address.
import { useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { isEmail } from "../../lib/is-email.ts";
import { createStableRows } from "../../lib/stable-rows.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { roleNames } from "../../shell/role-names.ts";
import { Asked } from "../../ui/asked.tsx";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Select } from "../../ui/choices.tsx";
import { createForm } from "../../ui/create-form.ts";
import { Time } from "../../ui/figures.tsx";
import { FormFrame, SubmitButton } from "../../ui/form.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { EmailField } from "../../ui/text-field.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { useChange } from "../../ui/use-change.ts";
import { roleChoices } from "./member-dialogs.tsx";
import {
  checkScope,
  ProjectScopeField,
  ProjectScopeText,
  readScope,
  writeScope,
} from "./project-scope.tsx";

type Invitation = Answers["members"]["invitations"][number];

const membersKey = ["members"] as const;
const invitationsKey = [...membersKey, "invitations"] as const;

const columns: readonly Column<Invitation>[] = [
  { id: "email", title: "Email", cell: (invitation) => invitation.email, class: "wrap-anywhere" },
  { id: "role", title: "Role", cell: ({ role }) => roleNames[role] },
  {
    id: "projects",
    title: "Projects",
    cell: ({ projectIds }) => <ProjectScopeText of={projectIds} />,
    class: "wrap-anywhere",
  },
  {
    id: "expires",
    title: "Expires",
    cell: (invitation) => (
      <Show when={!invitation.expired} fallback="Expired">
        <Time at={invitation.expiresAt} inRow />
      </Show>
    ),
  },
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
        <Loaded query={query} what="the invitations">
          {() => (
            <>
              <For each={rows().filter(({ claimedBy }) => claimedBy !== null)}>
                {(invitation) => <Claim of={invitation} />}
              </For>
              <Show
                when={rows().length > 0}
                fallback={<p class="text-muted">No open invitations.</p>}
              >
                <Table
                  caption="Open invitations"
                  columns={columns}
                  rows={rows()}
                  rowKey={(invitation) => invitation.id}
                  actions={(invitation) => (
                    <span class="inline-flex gap-1">
                      <Button
                        size="small"
                        variant="ghost"
                        changes
                        onClick={() => resend.mutate(invitation)}
                      >
                        Send again
                      </Button>
                      <Button
                        size="small"
                        variant="ghost"
                        changes
                        onClick={() => revoke.mutate(invitation)}
                      >
                        Revoke
                      </Button>
                    </span>
                  )}
                />
              </Show>
            </>
          )}
        </Loaded>
      </div>
    </Card>
  );
}

function InviteForm(): JSX.Element {
  const client = useQueryClient();
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
      const projectIds = role === "admin" ? null : readScope(scope);
      await api.invitations.create.mutate({ email: email.trim(), role, projectIds });
      await client.invalidateQueries({ queryKey: invitationsKey });
      form.reset({ email: "", role, scope });
      showToast(`Invitation sent to ${email.trim()}.`);
    },
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
        <Button size="small" changes onClick={() => confirm.mutate()}>
          Let {claimer()} join
        </Button>
      }
    >
      <span class="wrap-anywhere">
        {props.of.email}: {claimer()} opened this invitation and wants to join with that address.
      </span>
    </Banner>
  );
}
