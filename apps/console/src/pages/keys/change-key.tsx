// Changes of an existing key: it is edited, moved, rotated, revoked, or only the secret before the last rotation is.
import { lazy, Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { loadOnce } from "../../lib/load-once.ts";
import type { Key } from "../../product/keys/key-spend.tsx";
import { askQuestion, openDialog } from "../../ui/dialogs/open-dialog.tsx";
import { endPrevious } from "./end-previous.tsx";
import { useUntil } from "./key-status.tsx";
import { keysQueryKey } from "./keys-query-key.ts";

const EditKey = lazy(loadOnce(() => import("./edit-key.tsx")));
const MoveKey = lazy(loadOnce(() => import("./move-key.tsx")));
const RotateKey = lazy(loadOnce(() => import("./rotate-key.tsx")));

/** Opens the dialog of each. */
export const changeKey = {
  edit: (key: Key) => openDialog((close) => <EditKey of={key} onClose={close} />),
  move: (key: Key) => openDialog((close) => <MoveKey of={key} onClose={close} />),
  rotate: (key: Key) => openDialog((close) => <RotateKey of={key} onClose={close} />),
  endPrevious: (key: Key) => endPrevious(key),
  revoke: ({ id, name, masked, lastUsedAt }: Key) =>
    askQuestion({
      title: `Revoke ${name}?`,
      text: () => (
        <>
          <p>Requests using {name} will fail immediately. This cannot be undone.</p>
          <Show when={lastUsedAt} fallback={<p>It has never been used.</p>}>
            {(at) => <p>Last used {useUntil(at())}.</p>}
          </Show>
        </>
      ),
      // Can be typed on every keyboard, unlike some names.
      typeToConfirm: {
        label: `Type the last four characters of ${masked} to confirm`,
        text: masked.slice(-4),
      },
      confirmLabel: "Revoke key",
      pendingLabel: "Revoking…",
      run: () => api.keys.revoke.mutate({ id }),
      refreshes: [keysQueryKey],
      toast: `Revoked ${name}`,
    }),
};
