// Where this person is signed in, and signing out elsewhere.
import { useMutation, useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { describeFailure } from "../../lib/describe-failure.ts";
import { plural } from "../../lib/plural.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { createStableRows } from "../../lib/stable-rows.ts";
import { forgetConversations } from "../../lib/stored-conversations.ts";
import { useQuery } from "../../lib/use-query.ts";
import { AlertDialog } from "../../ui/alert-dialog.tsx";
import { Asked } from "../../ui/asked.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Time } from "../../ui/figures.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { StatusPill } from "../../ui/status-pill.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { showToast } from "../../ui/toasts.tsx";

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
  {
    id: "address",
    title: "Address",
    cell: (session) => <AddressAndPlace {...session} />,
  },
  {
    id: "since",
    title: "Signed in",
    cell: (session) => <Time at={session.createdAt} />,
  },
  { id: "seen", title: "Last seen", cell: (session) => <Time at={session.lastSeenAt} /> },
];

/** The place is approximate, and empty if it is not known. */
export function AddressAndPlace(props: { address: string; place: string }): JSX.Element {
  return (
    <>
      <span class="font-mono text-xs">{props.address}</span>
      <Show when={props.place}>
        <span class="block text-xs text-muted">near {props.place}</span>
      </Show>
    </>
  );
}

export function SessionsCard(): JSX.Element {
  const query = useQuery(() => ({
    queryKey: sessionsKey,
    queryFn: ({ signal }) => api.sessions.list.query(undefined, { signal }),
  }));
  const [ending, setEnding] = createSignal<Session>();
  const [endingOthers, setEndingOthers] = createSignal(false);
  const [endingAll, setEndingAll] = createSignal(false);
  const rows = createStableRows(() => query.data ?? []);
  const others = () => query.data?.some((session) => !session.current) ?? false;
  return (
    <Card
      title="Sessions"
      description="Don't recognize a session? Sign it out and change your password."
      flush
      actions={
        <>
          <Show when={others()}>
            <Button size="small" onClick={() => setEndingOthers(true)}>
              Sign out all others
            </Button>
          </Show>
          <Asked as="sign-out-everywhere">
            <Button size="small" onClick={() => setEndingAll(true)}>
              Sign out everywhere
            </Button>
          </Asked>
        </>
      }
    >
      <Loaded query={query} what="your sessions">
        {() => (
          <Table
            caption="Your sessions"
            columns={columns}
            rows={rows()}
            rowKey={(session) => session.id}
            actions={(session) => (
              <Show when={!session.current}>
                <Button
                  size="small"
                  variant="ghost"
                  aria-label={`Sign out ${session.device}`}
                  onClick={() => setEnding(session)}
                >
                  Sign out
                </Button>
              </Show>
            )}
          />
        )}
      </Loaded>
      <EndSession session={ending()} onClose={() => setEnding(undefined)} />
      <EndOthers open={endingOthers()} onClose={() => setEndingOthers(false)} />
      <EndAll open={endingAll()} onClose={() => setEndingAll(false)} />
    </Card>
  );
}

function EndSession(props: { session: Session | undefined; onClose: () => void }): JSX.Element {
  const client = useQueryClient();
  const end = useMutation(() => ({
    mutationFn: (session: Session) => api.sessions.end.mutate({ id: session.id }),
    async onSuccess(_, session) {
      // The focus returns to the heading, because the row is gone.
      await client.invalidateQueries({ queryKey: sessionsKey });
      props.onClose();
      showToast(`Signed out ${session.device}.`);
    },
  }));
  const device = () => props.session?.device ?? "";
  return (
    <AlertDialog
      open={props.session !== undefined}
      onOpenChange={props.onClose}
      title={`Sign out ${device()}?`}
      confirmLabel="Sign out"
      pending={end.isPending}
      changes
      pendingLabel="Signing out…"
      error={end.isError ? describeFailure(readFailure(end.error)) : undefined}
      onConfirm={() => props.session && end.mutate(props.session)}
    >
      {device()} at {props.session?.address ?? ""} will be signed out at its next action.
    </AlertDialog>
  );
}

function EndOthers(props: { open: boolean; onClose: () => void }): JSX.Element {
  const client = useQueryClient();
  const end = useMutation(() => ({
    mutationFn: () => api.sessions.endOthers.mutate(),
    async onSuccess({ ended }) {
      await client.invalidateQueries({ queryKey: sessionsKey });
      props.onClose();
      showToast(plural(ended, `Signed out ${ended} session.`, `Signed out ${ended} sessions.`));
    },
  }));
  return (
    <AlertDialog
      open={props.open}
      onOpenChange={props.onClose}
      title="Sign out all other sessions?"
      confirmLabel="Sign out all others"
      pending={end.isPending}
      changes
      pendingLabel="Signing out…"
      error={end.isError ? describeFailure(readFailure(end.error)) : undefined}
      onConfirm={() => end.mutate()}
    >
      Only this device stays signed in.
    </AlertDialog>
  );
}

function EndAll(props: { open: boolean; onClose: () => void }): JSX.Element {
  const end = useMutation(() => ({
    mutationFn: () => api.sessions.endAll.mutate(),
    // A full page load, as after signing out here.
    onSuccess: () => {
      forgetConversations();
      location.assign("/login");
    },
  }));
  return (
    <AlertDialog
      open={props.open}
      onOpenChange={props.onClose}
      title="Sign out everywhere?"
      confirmLabel="Sign out everywhere"
      pending={end.isPending}
      changes
      pendingLabel="Signing out…"
      error={end.isError ? describeFailure(readFailure(end.error)) : undefined}
      onConfirm={() => end.mutate()}
    >
      This device is signed out, too.
    </AlertDialog>
  );
}
