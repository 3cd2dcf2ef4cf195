// Which programs manage this account? Their keys. A new one is shown once.
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
import { Button } from "../../ui/buttons/button.tsx";
import { RowButton } from "../../ui/buttons/change-button.tsx";
import { askQuestion } from "../../ui/dialogs/open-dialog.tsx";
import { textColumn, timeColumn } from "../../ui/tables/columns.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { TableCard } from "../../ui/tables/table-card.tsx";
import { permissionText } from "./permission-text.ts";
import { SettingsFrame } from "./settings-frame.tsx";

const CreateManagementKeyDialog = lazy(
  loadOnce(() => import("./create-management-key-dialog.tsx")),
);

type Key = Answers["managementKeys"]["list"]["keys"][number];

const queryKey = ["management-keys"] as const;

const columns: readonly Column<Key>[] = [
  textColumn("name", "Name", ({ name, masked }) => (
    <>
      <span class="block font-medium">{name}</span>
      <span translate="no" class="block font-mono text-xs text-muted">
        {masked}
      </span>
    </>
  )),
  {
    id: "permissions",
    title: "Permissions",
    cell: ({ permissions }) => (
      <span title={permissions.map(permissionText).join("\n")}>
        {counted(permissions.length, "permission")}
      </span>
    ),
  },
  textColumn("createdBy", "Created by", ({ createdBy }) => createdBy),
  timeColumn("used", "Last used", ({ lastUsedAt }) => lastUsedAt),
  timeColumn("expires", "Expires", ({ expiresAt }) => expiresAt),
];

export default function ManagementKeysPage(): JSX.Element {
  const client = useQueryClient();
  const mayChange = useMay("management.change");
  const [creating, setCreating] = createSignal(false);
  const query = useAnswer(queryKey, (call) => api.managementKeys.list.query(undefined, call));
  useAsked(
    "create-management-key",
    () => setCreating(mayChange()),
    () => query.data !== undefined,
  );
  const rows = createStableRows(() => query.data?.keys ?? []);
  return (
    <SettingsFrame>
      <TableCard
        title="Management keys"
        description="For programs that manage this account over the management API: API keys, members, usage and more. A management key cannot call models. It acts for you: it never does more than your role allows, and stops working when you leave the account."
        controls={
          <Show when={mayChange()}>
            <Button size="small" changes onClick={() => setCreating(true)}>
              Create management key
            </Button>
          </Show>
        }
        query={query}
        what="the management keys"
        empty="No management keys yet."
        caption="Management keys"
        columns={columns}
        rows={rows}
        rowKey={(key) => key.id}
        actions={(key) => (
          <Show when={mayChange()}>
            <RowButton text="Revoke" of={key.name} onClick={() => revoke(key)} />
          </Show>
        )}
      />
      <Suspense>
        <CreateManagementKeyDialog
          open={creating()}
          grantable={query.data?.grantable ?? []}
          onClose={() => setCreating(false)}
          onCreated={() => void client.invalidateQueries({ queryKey })}
        />
      </Suspense>
    </SettingsFrame>
  );
}

function revoke({ id, name }: Key): void {
  askQuestion({
    title: `Revoke ${name}?`,
    text: "Programs that use it are refused from their next request on. This cannot be undone.",
    confirmLabel: "Revoke key",
    pendingLabel: "Revoking…",
    run: () => api.managementKeys.revoke.mutate({ id }),
    refreshes: [queryKey],
    toast: `${name} was revoked.`,
  });
}
