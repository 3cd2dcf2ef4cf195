// Shares a conversation in the account: says who can read it before, and its address afterwards.
import { useMutation, useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createMemo, onMount, Show } from "solid-js";
import { accountBase } from "../../../lib/account-address.ts";
import { api } from "../../../lib/api.ts";
import { describeError } from "../../../lib/describe-failure.ts";
import { useAccount } from "../../../lib/session.ts";
import { Button, DialogActions } from "../../../ui/buttons/button.tsx";
import { CopyButton } from "../../../ui/buttons/copy-button.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { type Conversation, titleOf } from "../conversation/conversation.ts";
import { writeConversation } from "../conversation/conversation-file.ts";
import { sharedListKey } from "./shared-list.tsx";

/** What the server accepts, in UTF-8. */
const bytesMax = 1_048_576;

type ShareDialogProps = { conversation: Conversation | undefined; onClose: () => void };

export function ShareDialog(props: ShareDialogProps): JSX.Element {
  return (
    <Dialog
      open={props.conversation !== undefined}
      onOpenChange={props.onClose}
      title="Share conversation"
      description={props.conversation && titleOf(props.conversation)}
    >
      <Show when={props.conversation} keyed>
        {(conversation) => <Share conversation={conversation} onClose={props.onClose} />}
      </Show>
    </Dialog>
  );
}

function Share(props: { conversation: Conversation; onClose: () => void }): JSX.Element {
  const client = useQueryClient();
  const account = useAccount();
  const content = createMemo(() => writeConversation(props.conversation, 0));
  const bytes = createMemo(() => new TextEncoder().encode(content()).length);
  const share = useMutation(() => ({
    mutationFn: () =>
      api.conversations.share.mutate({ title: titleOf(props.conversation), content: content() }),
    onSuccess: () => client.invalidateQueries({ queryKey: sharedListKey }),
  }));
  const problem = () => {
    if (bytes() > bytesMax) {
      const megabytes = (bytes() / bytesMax).toFixed(1);
      return `This conversation has ${megabytes} MB, and at most 1 MB can be shared. Remove messages with large images first.`;
    }
    return share.error ? describeError(share.error) : undefined;
  };
  return (
    <Show
      when={share.data}
      fallback={
        <>
          <p>
            {account()?.kind === "personal"
              ? "Stored on the server, so that you can open it in any browser."
              : `Members of ${account()?.name ?? "the account"} who may use the playground can read it, images included.`}{" "}
            It is a copy as it is now: what you write later is not in it.
          </p>
          <Show when={problem()}>
            <p role="alert" class="mt-3 text-sm text-danger">
              {problem()}
            </p>
          </Show>
          <DialogActions>
            <Button onClick={props.onClose}>Cancel</Button>
            <Button
              variant="primary"
              changes
              disabled={bytes() > bytesMax}
              pending={share.isPending}
              pendingLabel="Sharing…"
              onClick={() => share.mutate()}
            >
              Share
            </Button>
          </DialogActions>
        </>
      }
    >
      {(shared) => <Address id={shared().id} onClose={props.onClose} />}
    </Show>
  );
}

function Address(props: { id: string; onClose: () => void }): JSX.Element {
  let shown: HTMLDivElement | undefined;
  // The button that had the focus is gone.
  onMount(() => shown?.focus());
  const address = () => `${location.origin}${accountBase}/playground?shared=${props.id}`;
  return (
    <div ref={shown} tabindex={-1} class="outline-none">
      <p>Shared. Its address:</p>
      <p
        translate="no"
        class="mt-2 rounded-control border border-border bg-surface px-3 py-2 font-mono text-sm wrap-anywhere"
      >
        {address()}
      </p>
      <DialogActions>
        <CopyButton text={address()} label="Copy link" />
        <Button variant="primary" onClick={props.onClose}>
          Done
        </Button>
      </DialogActions>
    </div>
  );
}
