// Revokes the secret that the last rotation replaced: irreversible, so it always asks first.
import { Show } from "solid-js";
import { api } from "../../lib/api.ts";
import type { Key } from "../../product/keys/key-spend.tsx";
import { askQuestion } from "../../ui/dialogs/open-dialog.tsx";
import { useUntil } from "./key-status.tsx";
import { keysQueryKey } from "./keys-query-key.ts";

export function endPrevious({ id, name, previousUntil }: Key, onEnded?: () => void): void {
  askQuestion({
    title: `Revoke the old secret of ${name}?`,
    text: () => (
      <>
        <p>
          Requests that still use it will fail immediately; the new secret keeps working. This
          cannot be undone.
        </p>
        <Show when={previousUntil}>
          {(at) => <p>Otherwise it stops working {useUntil(at())}.</p>}
        </Show>
      </>
    ),
    confirmLabel: "Revoke old secret",
    pendingLabel: "Revoking…",
    run: () => api.keys.endPrevious.mutate({ id }),
    refreshes: [keysQueryKey],
    onDone: onEnded,
    toast: `The old secret of ${name} is revoked`,
  });
}
