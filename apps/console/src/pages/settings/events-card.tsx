// What happened to this person's sign-in, newest first: anyone who did something in their name left a row here.
import type { JSX } from "solid-js";
import { createMemo, createSignal, For, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { createStableRows } from "../../lib/stable-rows.ts";
import { useQuery } from "../../lib/use-query.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Time } from "../../ui/figures.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { AddressAndPlace } from "./sessions-card.tsx";

const eventsNames = {
  sign_in: "Signed in",
  sign_out: "Signed out",
  session_end: "Signed out a session",
  sessions_end: "Signed out several sessions",
  password_change: "Changed the password",
  password_reset: "Set a new password by email",
  email_change: "Changed the email address",
  change_undone: "Undid a change by email",
  identity_link: "Linked a sign-in provider",
  identity_unlink: "Unlinked a sign-in provider",
  export: "Downloaded all data",
  deletion_request: "Asked to be deleted",
  deletion_cancel: "Canceled the deletion",
} as const;

type Row = Answers["sessions"]["events"]["rows"][number];

const columns: readonly Column<Row>[] = [
  { id: "at", title: "Time", cell: (row) => <Time at={row.at} inRow /> },
  { id: "kind", title: "What", cell: (row) => eventsNames[row.kind] },
  { id: "device", title: "Device", cell: (row) => row.device },
  {
    id: "address",
    title: "Address",
    cell: (row) => <AddressAndPlace {...row} />,
  },
];

export function EventsCard(): JSX.Element {
  const [before, setBefore] = createSignal<readonly string[]>([]);
  return (
    <Card
      title="Security log"
      description="What happened to your sign-in in the last 400 days. If something was not you, change your password."
      flush
    >
      <For each={["", ...before()]}>
        {(cursor) => (
          <Page
            cursor={cursor}
            isLast={cursor === (before().at(-1) ?? "")}
            onMore={(next) => setBefore([...before(), next])}
          />
        )}
      </For>
    </Card>
  );
}

type PageProps = {
  /** Empty for the newest. */
  cursor: string;
  isLast: boolean;
  onMore: (cursor: string) => void;
};

function Page(props: PageProps): JSX.Element {
  const query = useQuery(() => ({
    // Below that of the sessions: ending one is also something that happened.
    queryKey: ["sessions", "list", "events", props.cursor],
    queryFn: ({ signal }) =>
      api.sessions.events.query(props.cursor === "" ? {} : { cursor: props.cursor }, { signal }),
  }));
  const rows = createStableRows(() => query.data?.rows ?? []);
  const next = createMemo(() => (props.isLast ? query.data?.nextCursor : null));
  return (
    <Loaded query={query} what="your security log">
      {() => (
        <>
          <Table
            caption="What happened to your sign-in, newest first"
            columns={columns}
            rows={rows()}
            rowKey={(row) => row.id}
          />
          <Show when={next()}>
            {(cursor) => (
              <div class="border-t border-border p-3 text-center">
                <Button size="small" onClick={() => props.onMore(cursor())}>
                  Show more
                </Button>
              </div>
            )}
          </Show>
        </>
      )}
    </Loaded>
  );
}
