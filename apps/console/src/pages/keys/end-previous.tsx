// Revokes the secret that the last rotation replaced: irreversible, so it always asks first.
import { useMutation, useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { describeFailure } from "../../lib/describe-failure.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { AlertDialog } from "../../ui/alert-dialog.tsx";
import { showToast } from "../../ui/toasts.tsx";
import type { Key } from "../shared/key-spend.tsx";
import { useUntil } from "./key-status.tsx";
import { keysQueryKey } from "./keys-query-key.ts";

type EndPreviousProps = {
  /** The key concerned; the dialog is open while it is set. */
  of: Key | undefined;
  onClose: () => void;
  onEnded?: (() => void) | undefined;
};

export function EndPrevious(props: EndPreviousProps): JSX.Element {
  const client = useQueryClient();
  const end = useMutation(() => ({
    mutationFn: (key: Key) => api.keys.endPrevious.mutate({ id: key.id }),
    async onSuccess(_: unknown, key: Key) {
      props.onEnded?.();
      props.onClose();
      showToast(`The old secret of ${key.name} is revoked`);
      await client.invalidateQueries({ queryKey: keysQueryKey });
    },
  }));
  const close = () => {
    end.reset();
    props.onClose();
  };
  const name = () => props.of?.name ?? "";
  return (
    <AlertDialog
      open={props.of !== undefined}
      onOpenChange={close}
      title={`Revoke the old secret of ${name()}?`}
      confirmLabel="Revoke old secret"
      pending={end.isPending}
      changes
      pendingLabel="Revoking…"
      error={end.isError ? describeFailure(readFailure(end.error)) : undefined}
      onConfirm={() => props.of && end.mutate(props.of)}
    >
      <p>
        Requests that still use it will fail immediately; the new secret keeps working. This cannot
        be undone.
      </p>
      <Show when={props.of?.previousUntil}>
        {(at) => <p>Otherwise it stops working {useUntil(at())}.</p>}
      </Show>
    </AlertDialog>
  );
}
