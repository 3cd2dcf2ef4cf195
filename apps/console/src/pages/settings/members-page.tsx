// Who belongs to the organization? In which role, and who is invited.
import { useSearchParams } from "@solidjs/router";
import { useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { lazy, Show, Suspense } from "solid-js";
import { api } from "../../lib/api.ts";
import { loadOnce } from "../../lib/load-once.ts";
import { meKey, useAccount, useMay, useMe } from "../../lib/session.ts";
import { createStableRows } from "../../lib/stable-rows.ts";
import { useAsked } from "../../lib/use-asked.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { roleNames } from "../../shell/role-names.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { useChange } from "../../ui/buttons/use-change.ts";
import { StatusPill } from "../../ui/figures/status-pill.tsx";
import { Banner } from "../../ui/notices/banner.tsx";
import { MenuPlace } from "../../ui/states/skeleton.tsx";
import { textColumn, timeColumn } from "../../ui/tables/columns.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { TableCard } from "../../ui/tables/table-card.tsx";
import { changeMember, membersKey } from "./change-member.tsx";
import { InvitationsCard } from "./invitations-card.tsx";
import { type ListedMember, useMemberChanges } from "./member-roles.ts";
import { NoOrganization } from "./no-organization.tsx";
import { ProjectScopeText } from "./project-scope.tsx";
import { SettingsFrame } from "./settings-frame.tsx";

// Loaded after the list is drawn.
const MemberMenu = lazy(loadOnce(() => import("./member-menu.tsx")));

export default function MembersPage(): JSX.Element {
  const account = useAccount();
  const mayChange = useMay("members.change");
  return (
    <SettingsFrame>
      <Show when={account()?.kind === "organization" && account()} fallback={<NoOrganization />}>
        {(organization) => (
          <>
            <MembersCard name={organization().name} />
            <Show when={mayChange()}>
              <InvitationsCard />
            </Show>
          </>
        )}
      </Show>
    </SettingsFrame>
  );
}

const columns: readonly Column<ListedMember>[] = [
  textColumn("name", "Name", (member) => <MemberName of={member} />),
  {
    id: "role",
    title: "Role",
    cell: (member) => (
      <span class="inline-flex flex-wrap items-center gap-2">
        {roleNames[member.role]}
        <Show when={member.isOfferedOwnership}>
          <StatusPill tone="info">Ownership offered</StatusPill>
        </Show>
      </span>
    ),
  },
  textColumn("projects", "Projects", ({ role, projectIds }) => (
    <ProjectScopeText of={role === "owner" || role === "admin" ? null : projectIds} />
  )),
  timeColumn("joined", "Joined", ({ joinedAt }) => joinedAt),
];

function MembersCard(props: { name: string }): JSX.Element {
  const me = useMe();
  const client = useQueryClient();
  const changesOf = useMemberChanges();
  // The palette leads to a member.
  const [search] = useSearchParams<{ id?: string }>();
  const query = useAnswer(membersKey, (call) => api.members.list.query(undefined, call));
  const rows = createStableRows(() => query.data ?? []);
  for (const kind of ["role", "projects", "offer", "remove"] as const) {
    const begin = (id: string | undefined) => {
      const member = rows().find((one) => one.id === id);
      if (member && changesOf(member).includes(kind)) changeMember[kind](member);
    };
    useAsked(`member-${kind}`, begin, () => query.isSuccess);
  }
  const isOffered = () =>
    rows().some((member) => member.id === me.data?.person.id && member.isOfferedOwnership);
  const refresh = async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: membersKey }),
      client.invalidateQueries({ queryKey: meKey }),
    ]);
  };
  return (
    <>
      <Show when={isOffered()}>
        <OfferBanner name={props.name} onAnswered={() => void refresh()} />
      </Show>
      <TableCard
        title="Members"
        query={query}
        what="the members"
        caption="Members"
        columns={columns}
        rows={rows}
        rowKey={(member) => member.id}
        highlighted={search.id}
        actions={(member) => (
          <Show when={changesOf(member).length > 0}>
            <Suspense fallback={<MenuPlace />}>
              <MemberMenu of={member} changes={changesOf(member)} onDone={() => void refresh()} />
            </Suspense>
          </Show>
        )}
      />
    </>
  );
}

function MemberName(props: { of: ListedMember }): JSX.Element {
  const me = useMe();
  return (
    <span class="inline-flex min-w-0 flex-wrap items-center gap-x-2">
      <span class="font-medium">{props.of.name || props.of.email}</span>
      <Show when={props.of.name}>
        <span class="text-muted">{props.of.email}</span>
      </Show>
      <Show when={me.data?.person.id === props.of.id}>
        <StatusPill tone="success">You</StatusPill>
      </Show>
    </span>
  );
}

/** The ownership that was offered to the reader: accepted or declined where they first see it. */
function OfferBanner(props: { name: string; onAnswered: () => void }): JSX.Element {
  const answer = useChange((accept: boolean) => api.accounts.answerOwnership.mutate({ accept }), {
    refreshes: meKey,
    onDone: props.onAnswered,
  });
  return (
    <Banner
      tone="info"
      action={
        <span class="flex gap-2">
          <Button size="small" changes onClick={() => answer.mutate(true)}>
            Accept
          </Button>
          <Button size="small" variant="ghost" changes onClick={() => answer.mutate(false)}>
            Decline
          </Button>
        </span>
      }
    >
      You were offered the ownership of {props.name}.
    </Banner>
  );
}
