// Asks before a shared conversation is removed: the others of the account lose it too.
import { useMutation, useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { api } from "../../lib/api.ts";
import { describeFailure } from "../../lib/describe-failure.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { AlertDialog } from "../../ui/alert-dialog.tsx";

type RemoveSharedProps = {
  of: { readonly id: string; readonly title: string | null } | undefined;
  onClose: () => void;
  onRemoved?: () => void;
};

export function RemoveShared(props: RemoveSharedProps): JSX.Element {
  const client = useQueryClient();
  const remove = useMutation(() => ({
    mutationFn: (id: string) => api.conversations.remove.mutate({ id }),
    async onSuccess() {
      props.onClose();
      props.onRemoved?.();
      await client.invalidateQueries({ queryKey: ["conversations"] });
    },
  }));
  return (
    <AlertDialog
      open={props.of !== undefined}
      onOpenChange={props.onClose}
      title="Stop sharing this conversation?"
      confirmLabel="Stop sharing"
      changes
      pending={remove.isPending}
      pendingLabel="Removing…"
      error={remove.error ? describeFailure(readFailure(remove.error)) : undefined}
      onConfirm={() => props.of && remove.mutate(props.of.id)}
    >
      <p>
        “{props.of?.title ?? "Untitled"}” is deleted from the account. Copies that members continued
        stay in their browsers.
      </p>
    </AlertDialog>
  );
}
