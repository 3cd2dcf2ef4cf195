// Asks before a shared conversation is removed: the others of the account lose it too.
import { useQueryClient } from "@tanstack/solid-query";
import { api } from "../../../lib/api.ts";
import { askQuestion } from "../../../ui/dialogs/open-dialog.tsx";

type Shared = { readonly id: string; readonly title: string | null };

export function useRemoveShared(onRemoved?: () => void): (shared: Shared) => void {
  const client = useQueryClient();
  return ({ id, title }) =>
    askQuestion({
      title: "Stop sharing this conversation?",
      text: `“${title ?? "Untitled"}” is deleted from the account. Copies that members continued stay in their browsers.`,
      confirmLabel: "Stop sharing",
      pendingLabel: "Removing…",
      run: () => api.conversations.remove.mutate({ id }),
      onDone() {
        onRemoved?.();
        // After leaving what is gone.
        void client.invalidateQueries({ queryKey: ["conversations"] });
      },
    });
}
