// Deletes the person a week later, and says until when that can be canceled.
import { useMutation, useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { describeFailure } from "../../lib/describe-failure.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { useQuery } from "../../lib/use-query.ts";
import { AlertDialog } from "../../ui/alert-dialog.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Time } from "../../ui/figures.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { t } from "./texts.ts";

const deletionKey = ["profile", "deletion"] as const;

export default function DeletionCard(): JSX.Element {
  const query = useQuery(() => ({
    queryKey: deletionKey,
    queryFn: ({ signal }) => api.profile.deletion.query(undefined, { signal }),
  }));
  return (
    <Card title={t("deletion.title")} description={t("deletion.description")}>
      <Loaded query={query} what={t("deletion.what")}>
        {(deletion) => (
          <Show when={deletion().dueAt} fallback={<Ask />}>
            {(dueAt) => <Due at={dueAt()} />}
          </Show>
        )}
      </Loaded>
    </Card>
  );
}

function Ask(): JSX.Element {
  const client = useQueryClient();
  const [asking, setAsking] = createSignal(false);
  const ask = useMutation(() => ({
    mutationFn: () => api.profile.requestDeletion.mutate(),
    async onSuccess() {
      setAsking(false);
      await client.invalidateQueries({ queryKey: deletionKey });
    },
  }));
  return (
    <>
      <Button variant="danger" onClick={() => setAsking(true)}>
        {t("deletion.ask")}
      </Button>
      <AlertDialog
        open={asking()}
        onOpenChange={setAsking}
        title={t("deletion.askTitle")}
        confirmLabel={t("deletion.ask")}
        pendingLabel={t("deletion.asking")}
        pending={ask.isPending}
        destructive
        changes
        error={ask.isError ? describeFailure(readFailure(ask.error)) : undefined}
        onConfirm={() => ask.mutate()}
      >
        {t("deletion.askBody")}
      </AlertDialog>
    </>
  );
}

function Due(props: { at: string }): JSX.Element {
  const client = useQueryClient();
  const cancel = useMutation(() => ({
    mutationFn: () => api.profile.cancelDeletion.mutate(),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: deletionKey });
      showToast(t("deletion.canceled"));
    },
    onError: (error) => showToast({ text: describeFailure(readFailure(error)), isError: true }),
  }));
  return (
    <div class="flex flex-wrap items-center gap-3">
      <p>
        {t("deletion.due")} <Time at={props.at} />
      </p>
      <Button
        changes
        pending={cancel.isPending}
        pendingLabel={t("deletion.canceling")}
        onClick={() => cancel.mutate()}
      >
        {t("deletion.cancel")}
      </Button>
    </div>
  );
}
