// What happened to this person's sign-in, newest first: anyone who did something in their name left a row here.
import type { JSX } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { timeColumn } from "../../ui/tables/columns.tsx";
import { PagedCard } from "../../ui/tables/paged-card.tsx";
import type { Column } from "../../ui/tables/table.tsx";
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
  timeColumn("at", "Time", ({ at }) => at),
  { id: "kind", title: "What", cell: (row) => eventsNames[row.kind] },
  { id: "device", title: "Device", cell: (row) => row.device },
  { id: "address", title: "Address", cell: (row) => <AddressAndPlace {...row} /> },
];

export function EventsCard(): JSX.Element {
  return (
    <PagedCard
      title="Security log"
      description="What happened to your sign-in in the last 400 days. If something was not you, change your password."
      // Below that of the sessions: ending one is also something that happened.
      queryKey={["sessions", "list", "events"]}
      load={(page, call) => api.sessions.events.query(page, call)}
      what="your security log"
      empty="Nothing happened yet."
      caption="What happened to your sign-in, newest first"
      columns={columns}
    />
  );
}
