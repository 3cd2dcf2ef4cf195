// Asks before a shared conversation is removed: the others of the account lose it too.
import { useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { api } from "../../lib/api.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";

type RemoveSharedProps = {
  of: { readonly id: string; readonly title: string | null } | undefined;
  onClose: () => void;
  onRemoved?: () => void;
};

export function RemoveShared(props: RemoveSharedProps): JSX.Element {
  const client = useQueryClient();
  return (
    <ConfirmDialog
      of={props.of}
      onClose={props.onClose}
      title="Stop sharing this conversation?"
      confirmLabel="Stop sharing"
      pendingLabel="Removing…"
      change={({ id }) => api.conversations.remove.mutate({ id })}
      onDone={() => {
        props.onRemoved?.();
        // After leaving what is gone.
        void client.invalidateQueries({ queryKey: ["conversations"] });
      }}
    >
      <p>
        “{props.of?.title ?? "Untitled"}” is deleted from the account. Copies that members continued
        stay in their browsers.
      </p>
    </ConfirmDialog>
  );
}
