// Settings: the keys with which programs manage the account. A new one is shown once.
import { useMutation, useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { describeFailure } from "../../lib/describe-failure.ts";
import { plural } from "../../lib/plural.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { useMay } from "../../lib/session.ts";
import { createStableRows } from "../../lib/stable-rows.ts";
import { useAsked } from "../../lib/use-asked.ts";
import { useQuery } from "../../lib/use-query.ts";
import { AlertDialog } from "../../ui/alert-dialog.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Time } from "../../ui/figures.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { CreateManagementKeyDialog } from "./create-management-key-dialog.tsx";
import { LeakedKeysCard } from "./leaked-keys-card.tsx";
import { permissionText } from "./permission-text.ts";
import { SettingsFrame } from "./settings-frame.tsx";

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
        {plural(
          key.permissions.length,
          `${key.permissions.length} permission`,
          `${key.permissions.length} permissions`,
        )}
      </span>
    ),
  },
  {
    id: "createdBy",
    title: "Created by",
    cell: (key) => key.createdBy,
    class: "wrap-anywhere",
  },
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
  const query = useQuery(() => ({
    queryKey,
    queryFn: ({ signal }) => api.managementKeys.list.query(undefined, { signal }),
  }));
  useAsked(
    "create-management-key",
    () => setCreating(mayChange()),
    () => query.data !== undefined,
  );
  const rows = createStableRows(() => query.data?.keys ?? []);
  const refresh = () => void client.invalidateQueries({ queryKey });
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
        <Loaded query={query} what="the management keys">
          {() => (
            <Show
              when={rows().length > 0}
              fallback={<EmptyState title="No management keys yet." />}
            >
              <Table
                caption="Management keys"
                columns={columns}
                rows={rows()}
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
            </Show>
          )}
        </Loaded>
      </Card>
      <LeakedKeysCard />
      <CreateManagementKeyDialog
        open={creating()}
        grantable={query.data?.grantable ?? []}
        onClose={() => setCreating(false)}
        onCreated={refresh}
      />
      <RevokeDialog of={revoking()} onClose={() => setRevoking(undefined)} onDone={refresh} />
    </SettingsFrame>
  );
}

type RevokeDialogProps = { of: Key | undefined; onClose: () => void; onDone: () => void };

function RevokeDialog(props: RevokeDialogProps): JSX.Element {
  const name = () => props.of?.name ?? "";
  const revoke = useMutation(() => ({
    mutationFn: (id: string) => api.managementKeys.revoke.mutate({ id }),
    onSuccess() {
      showToast(`${name()} was revoked.`);
      props.onClose();
      props.onDone();
    },
  }));
  return (
    <AlertDialog
      open={props.of !== undefined}
      onOpenChange={props.onClose}
      title={`Revoke ${name()}?`}
      confirmLabel="Revoke key"
      pendingLabel="Revoking…"
      pending={revoke.isPending}
      destructive
      changes
      error={revoke.isError ? describeFailure(readFailure(revoke.error)) : undefined}
      onConfirm={() => props.of && revoke.mutate(props.of.id)}
    >
      Programs that use it are refused from their next call on. This cannot be undone.
    </AlertDialog>
  );
}
