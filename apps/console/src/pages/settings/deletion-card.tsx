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

const deletionKey = ["profile", "deletion"] as const;

export default function DeletionCard(): JSX.Element {
  const query = useQuery(() => ({
    queryKey: deletionKey,
    queryFn: ({ signal }) => api.profile.deletion.query(undefined, { signal }),
  }));
  return (
    <Card
      title="Delete your account"
      description="A week later your sign-in, keys and personal account are deleted. Payments and charges stay without your name, because the books must add up, and organizations keep the record of what you did in them, because it is theirs. Spend or have refunded what is in your wallet, and transfer or delete organizations you alone own, first."
    >
      <Loaded query={query} what="whether you are to be deleted">
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
        Delete my account
      </Button>
      <AlertDialog
        open={asking()}
        onOpenChange={setAsking}
        title="Delete your account?"
        confirmLabel="Delete my account"
        pendingLabel="Asking…"
        pending={ask.isPending}
        destructive
        changes
        error={ask.isError ? describeFailure(readFailure(ask.error)) : undefined}
        onConfirm={() => ask.mutate()}
      >
        You have a week to change your mind. We send you a mail about it.
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
      showToast("Your account stays.");
    },
    onError: (error) => showToast({ text: describeFailure(readFailure(error)), isError: true }),
  }));
  return (
    <div class="flex flex-wrap items-center gap-3">
      <p>
        Your account will be deleted: <Time at={props.at} />
      </p>
      <Button
        changes
        pending={cancel.isPending}
        pendingLabel="Canceling…"
        onClick={() => cancel.mutate()}
      >
        Keep my account
      </Button>
    </div>
  );
}
