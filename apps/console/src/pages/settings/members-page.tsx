// Settings: who belongs to the organization, in which role, and who is invited.
import { useSearchParams } from "@solidjs/router";
import { useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { meKey, useAccount, useMay, useMe } from "../../lib/session.ts";
import { createStableRows } from "../../lib/stable-rows.ts";
import { useAsked } from "../../lib/use-asked.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { roleNames } from "../../shell/role-names.ts";
import { Card } from "../../ui/card.tsx";
import { Time } from "../../ui/figures.tsx";
import { LoadedTable } from "../../ui/loaded-table.tsx";
import { StatusPill } from "../../ui/status-pill.tsx";
import type { Column } from "../../ui/table.tsx";
import { InvitationsCard } from "./invitations-card.tsx";
import {
  type ListedMember,
  type MemberChange,
  MemberDialogs,
  MemberMenu,
  useMemberChanges,
} from "./member-dialogs.tsx";
import { NoOrganization } from "./no-organization.tsx";
import { OfferBanner } from "./offer-banner.tsx";
import { ProjectScopeText } from "./project-scope.tsx";
import { SettingsFrame } from "./settings-frame.tsx";

const membersKey = ["members", "list"] as const;

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
  {
    id: "name",
    title: "Name",
    cell: (member) => <MemberName of={member} />,
    class: "wrap-anywhere",
  },
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
  {
    id: "projects",
    title: "Projects",
    cell: ({ role, projectIds }) => (
      <ProjectScopeText of={role === "owner" || role === "admin" ? null : projectIds} />
    ),
    class: "wrap-anywhere",
  },
  { id: "joined", title: "Joined", cell: (member) => <Time at={member.joinedAt} inRow /> },
];

function MembersCard(props: { name: string }): JSX.Element {
  const me = useMe();
  const client = useQueryClient();
  const changesOf = useMemberChanges();
  // The palette leads to a member.
  const [search] = useSearchParams<{ id?: string }>();
  const [change, setChange] = createSignal<MemberChange>();
  const query = useAnswer(membersKey, (call) => api.members.list.query(undefined, call));
  const rows = createStableRows(() => query.data ?? []);
  for (const kind of ["role", "projects", "offer", "remove"] as const) {
    const begin = (id: string | undefined) => {
      const member = rows().find((one) => one.id === id);
      if (member && changesOf(member).includes(kind)) setChange({ kind, member });
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
      <Card title="Members" flush>
        <LoadedTable
          query={query}
          what="the members"
          caption="Members"
          columns={columns}
          rows={rows}
          rowKey={(member) => member.id}
          highlighted={search.id}
          actions={(member) => (
            <MemberMenu of={member} onChange={setChange} onDone={() => void refresh()} />
          )}
        />
        <MemberDialogs
          change={change()}
          onClose={() => setChange(undefined)}
          onDone={() => void refresh()}
        />
      </Card>
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
