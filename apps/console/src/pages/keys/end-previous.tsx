// Revokes the secret that the last rotation replaced: irreversible, so it always asks first.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
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
  const name = () => props.of?.name ?? "";
  return (
    <ConfirmDialog
      of={props.of}
      onClose={props.onClose}
      title={`Revoke the old secret of ${name()}?`}
      confirmLabel="Revoke old secret"
      pendingLabel="Revoking…"
      change={({ id }) => api.keys.endPrevious.mutate({ id })}
      refreshes={keysQueryKey}
      onDone={props.onEnded}
      toast={(_, key) => `The old secret of ${key.name} is revoked`}
    >
      <p>
        Requests that still use it will fail immediately; the new secret keeps working. This cannot
        be undone.
      </p>
      <Show when={props.of?.previousUntil}>
        {(at) => <p>Otherwise it stops working {useUntil(at())}.</p>}
      </Show>
    </ConfirmDialog>
  );
}
