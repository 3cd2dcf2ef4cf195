// Deletes the person a week later, and says until when that can be canceled.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { ChangeButton } from "../../ui/buttons/change-button.tsx";
import { useChange } from "../../ui/buttons/use-change.ts";
import { askQuestion } from "../../ui/dialogs/open-dialog.tsx";
import { Time } from "../../ui/figures/figures.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";

const deletionKey = ["profile", "deletion"] as const;

export default function DeletionCard(): JSX.Element {
  const query = useAnswer(deletionKey, (call) => api.profile.deletion.query(undefined, call));
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
  const ask = () =>
    askQuestion({
      title: "Delete your account?",
      text: "You have a week to change your mind. We send you a mail about it.",
      confirmLabel: "Delete my account",
      pendingLabel: "Asking…",
      run: () => api.profile.requestDeletion.mutate(),
      refreshes: [deletionKey],
    });
  return (
    <Button variant="danger" onClick={ask}>
      Delete my account
    </Button>
  );
}

function Due(props: { at: string }): JSX.Element {
  const cancel = useChange(() => api.profile.cancelDeletion.mutate(), {
    refreshes: deletionKey,
    toast: "Your account stays.",
  });
  return (
    <div class="flex flex-wrap items-center gap-3">
      <p>
        Your account will be deleted: <Time at={props.at} />
      </p>
      <ChangeButton change={cancel} pendingLabel="Canceling…">
        Keep my account
      </ChangeButton>
    </div>
  );
}
