// Where this person is signed in, and signing out elsewhere.
import { useMutation, useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { describeFailure } from "../../lib/describe-failure.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { createStableRows } from "../../lib/stable-rows.ts";
import { forgetConversations } from "../../lib/stored-conversations.ts";
import { useQuery } from "../../lib/use-query.ts";
import { AlertDialog } from "../../ui/alert-dialog.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Time } from "../../ui/figures.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { StatusPill } from "../../ui/status-pill.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { t } from "./texts.ts";

type Session = Answers["sessions"]["list"][number];

export const sessionsKey = ["sessions", "list"] as const;

const columns: readonly Column<Session>[] = [
  {
    id: "device",
    title: t("sessions.device"),
    cell: (session) => (
      <span class="inline-flex flex-wrap items-center gap-2">
        <span class="font-medium">{session.device}</span>
        <Show when={session.current}>
          <StatusPill tone="success">{t("sessions.current")}</StatusPill>
        </Show>
      </span>
    ),
  },
  {
    id: "address",
    title: t("sessions.address"),
    cell: (session) => <AddressAndPlace {...session} />,
  },
  {
    id: "since",
    title: t("sessions.since"),
    cell: (session) => <Time at={session.createdAt} />,
  },
  { id: "seen", title: t("sessions.seen"), cell: (session) => <Time at={session.lastSeenAt} /> },
];

/** The place is approximate, and empty if it is not known. */
export function AddressAndPlace(props: { address: string; place: string }): JSX.Element {
  return (
    <>
      <span class="font-mono text-xs">{props.address}</span>
      <Show when={props.place}>
        <span class="block text-xs text-muted">{t("sessions.near", { place: props.place })}</span>
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
      title={t("sessions.title")}
      description={t("sessions.description")}
      flush
      actions={
        <>
          <Show when={others()}>
            <Button size="small" onClick={() => setEndingOthers(true)}>
              {t("sessions.endOthers")}
            </Button>
          </Show>
          <Button size="small" onClick={() => setEndingAll(true)}>
            {t("sessions.endAll")}
          </Button>
        </>
      }
    >
      <Loaded query={query} what={t("sessions.what")}>
        {() => (
          <Table
            caption={t("sessions.caption")}
            columns={columns}
            rows={rows()}
            rowKey={(session) => session.id}
            actions={(session) => (
              <Show when={!session.current}>
                <Button
                  size="small"
                  variant="ghost"
                  aria-label={t("sessions.endThis", { device: session.device })}
                  onClick={() => setEnding(session)}
                >
                  {t("sessions.end")}
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
      showToast(t("sessions.endedOne", { device: session.device }));
    },
  }));
  const device = () => props.session?.device ?? "";
  return (
    <AlertDialog
      open={props.session !== undefined}
      onOpenChange={props.onClose}
      title={t("sessions.endTitle", { device: device() })}
      confirmLabel={t("sessions.end")}
      pending={end.isPending}
      changes
      pendingLabel={t("sessions.ending")}
      error={end.isError ? describeFailure(readFailure(end.error)) : undefined}
      onConfirm={() => props.session && end.mutate(props.session)}
    >
      {t("sessions.endBody", { device: device(), address: props.session?.address ?? "" })}
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
      showToast(t("sessions.ended", { count: ended }));
    },
  }));
  return (
    <AlertDialog
      open={props.open}
      onOpenChange={props.onClose}
      title={t("sessions.endOthersTitle")}
      confirmLabel={t("sessions.endOthers")}
      pending={end.isPending}
      changes
      pendingLabel={t("sessions.ending")}
      error={end.isError ? describeFailure(readFailure(end.error)) : undefined}
      onConfirm={() => end.mutate()}
    >
      {t("sessions.endOthersBody")}
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
      title={t("sessions.endAllTitle")}
      confirmLabel={t("sessions.endAll")}
      pending={end.isPending}
      changes
      pendingLabel={t("sessions.ending")}
      error={end.isError ? describeFailure(readFailure(end.error)) : undefined}
      onConfirm={() => end.mutate()}
    >
      {t("sessions.endAllBody")}
    </AlertDialog>
  );
}
