// Where this person is signed in, and signing out elsewhere.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { counted } from "../../lib/plural.ts";
import { createStableRows } from "../../lib/stable-rows.ts";
import { leaveConsole } from "../../lib/stored-conversations.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { RowButton } from "../../ui/buttons/change-button.tsx";
import { askQuestion } from "../../ui/dialogs/open-dialog.tsx";
import { StatusPill } from "../../ui/figures/status-pill.tsx";
import { Asked } from "../../ui/layout/asked.tsx";
import { timeColumn } from "../../ui/tables/columns.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { TableCard } from "../../ui/tables/table-card.tsx";

type Session = Answers["sessions"]["list"][number];

export const sessionsKey = ["sessions", "list"] as const;

const columns: readonly Column<Session>[] = [
  {
    id: "device",
    title: "Device",
    cell: (session) => (
      <span class="inline-flex flex-wrap items-center gap-2">
        <span class="font-medium">{session.device}</span>
        <Show when={session.current}>
          <StatusPill tone="success">This device</StatusPill>
        </Show>
      </span>
    ),
  },
  { id: "address", title: "Address", cell: (session) => <AddressAndPlace {...session} /> },
  timeColumn("since", "Signed in", ({ createdAt }) => createdAt),
  timeColumn("seen", "Last seen", ({ lastSeenAt }) => lastSeenAt),
];

/** The place is approximate, and empty if it is not known. */
export function AddressAndPlace(props: { address: string; place: string }): JSX.Element {
  return (
    <>
      <span translate="no" class="font-mono text-xs">
        {props.address}
      </span>
      <Show when={props.place}>
        <span class="block text-xs text-muted">near {props.place}</span>
      </Show>
    </>
  );
}

export function SessionsCard(): JSX.Element {
  const query = useAnswer(sessionsKey, (call) => api.sessions.list.query(undefined, call));
  const rows = createStableRows(() => query.data ?? []);
  const others = () => query.data?.some((session) => !session.current) ?? false;
  return (
    <TableCard
      title="Sessions"
      description="Don't recognize a session? Sign it out and change your password."
      controls={
        <>
          <Show when={others()}>
            <Button size="small" onClick={endOthers}>
              Sign out all others
            </Button>
          </Show>
          <Asked as="sign-out-everywhere">
            <Button size="small" onClick={endAll}>
              Sign out everywhere
            </Button>
          </Asked>
        </>
      }
      query={query}
      what="your sessions"
      caption="Your sessions"
      columns={columns}
      rows={rows}
      rowKey={(session) => session.id}
      actions={(session) => (
        <Show when={!session.current}>
          <RowButton text="Sign out" of={session.device} onClick={() => endSession(session)} />
        </Show>
      )}
    />
  );
}

function endSession({ id, device, address }: Session): void {
  askQuestion({
    title: `Sign out ${device}?`,
    text: `${device} at ${address} will be signed out at its next action.`,
    confirmLabel: "Sign out",
    pendingLabel: "Signing out…",
    run: () => api.sessions.end.mutate({ id }),
    refreshes: [sessionsKey],
    toast: `Signed out ${device}.`,
  });
}

function endOthers(): void {
  askQuestion({
    title: "Sign out all other sessions?",
    text: "Only this device stays signed in.",
    confirmLabel: "Sign out all others",
    pendingLabel: "Signing out…",
    run: () => api.sessions.endOthers.mutate(),
    refreshes: [sessionsKey],
    toast: ({ ended }) => `Signed out ${counted(ended, "session")}.`,
  });
}

function endAll(): void {
  askQuestion({
    title: "Sign out everywhere?",
    text: "This device is signed out, too.",
    confirmLabel: "Sign out everywhere",
    pendingLabel: "Signing out…",
    run: () => api.sessions.endAll.mutate(),
    onDone: leaveConsole,
  });
}
