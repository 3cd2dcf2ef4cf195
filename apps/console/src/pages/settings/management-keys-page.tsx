// Settings: the keys with which programs manage the account. A new one is shown once.
import { useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createSignal, lazy, Show, Suspense } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { loadOnce } from "../../lib/load-once.ts";
import { counted } from "../../lib/plural.ts";
import { useMay } from "../../lib/session.ts";
import { createStableRows } from "../../lib/stable-rows.ts";
import { useAsked } from "../../lib/use-asked.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Time } from "../../ui/figures.tsx";
import { LoadedTable } from "../../ui/loaded-table.tsx";
import type { Column } from "../../ui/table.tsx";
import { LeakedKeysCard } from "./leaked-keys-card.tsx";
import { permissionText } from "./permission-text.ts";
import { SettingsFrame } from "./settings-frame.tsx";

const CreateManagementKeyDialog = lazy(
  loadOnce(() => import("./create-management-key-dialog.tsx")),
);

type Key = Answers["managementKeys"]["list"]["keys"][number];

const queryKey = ["management-keys"] as const;

const columns: readonly Column<Key>[] = [
  {
    id: "name",
    title: "Name",
    cell: (key) => (
      <>
        <span class="block font-medium">{key.name}</span>
        <span class="block font-mono text-xs text-muted">{key.masked}</span>
      </>
    ),
    class: "wrap-anywhere",
  },
  {
    id: "permissions",
    title: "Permissions",
    cell: (key) => (
      <span title={key.permissions.map(permissionText).join("\n")}>
        {counted(key.permissions.length, "permission")}
      </span>
    ),
  },
  { id: "createdBy", title: "Created by", cell: (key) => key.createdBy, class: "wrap-anywhere" },
  { id: "used", title: "Last used", cell: (key) => <Moment at={key.lastUsedAt} /> },
  { id: "expires", title: "Expires", cell: (key) => <Moment at={key.expiresAt} /> },
];

function Moment(props: { at: string | null }): JSX.Element {
  return (
    <Show when={props.at} fallback="Never">
      {(at) => <Time at={at()} inRow />}
    </Show>
  );
}

export default function ManagementKeysPage(): JSX.Element {
  const client = useQueryClient();
  const mayChange = useMay("management.change");
  const [creating, setCreating] = createSignal(false);
  const [revoking, setRevoking] = createSignal<Key>();
  const query = useAnswer(queryKey, (call) => api.managementKeys.list.query(undefined, call));
  useAsked(
    "create-management-key",
    () => setCreating(mayChange()),
    () => query.data !== undefined,
  );
  const rows = createStableRows(() => query.data?.keys ?? []);
  return (
    <SettingsFrame>
      <Card
        title="Management keys"
        description="For programs that manage this account over the management API: API keys, members, usage and more. A management key cannot call models. It acts for you: it never does more than your role allows, and stops working when you leave the account."
        flush
        actions={
          <Show when={mayChange()}>
            <Button size="small" changes onClick={() => setCreating(true)}>
              Create management key
            </Button>
          </Show>
        }
      >
        <LoadedTable
          query={query}
          what="the management keys"
          empty="No management keys yet."
          caption="Management keys"
          columns={columns}
          rows={rows}
          rowKey={(key) => key.id}
          actions={(key) => (
            <Show when={mayChange()}>
              <Button
                size="small"
                variant="ghost"
                changes
                aria-label={`Revoke ${key.name}`}
                onClick={() => setRevoking(key)}
              >
                Revoke
              </Button>
            </Show>
          )}
        />
      </Card>
      <LeakedKeysCard />
      <Suspense>
        <CreateManagementKeyDialog
          open={creating()}
          grantable={query.data?.grantable ?? []}
          onClose={() => setCreating(false)}
          onCreated={() => void client.invalidateQueries({ queryKey })}
        />
      </Suspense>
      <ConfirmDialog
        of={revoking()}
        onClose={() => setRevoking(undefined)}
        title={`Revoke ${revoking()?.name ?? ""}?`}
        confirmLabel="Revoke key"
        pendingLabel="Revoking…"
        change={({ id }) => api.managementKeys.revoke.mutate({ id })}
        refreshes={queryKey}
        toast={(_, { name }) => `${name} was revoked.`}
      >
        Programs that use it are refused from their next call on. This cannot be undone.
      </ConfirmDialog>
    </SettingsFrame>
  );
}
