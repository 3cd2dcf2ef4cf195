// The conversations of this browser: open one again, or clear them all.
import type { JSX } from "solid-js";
import { createSignal, For, Show } from "solid-js";
import { AlertDialog } from "../../ui/alert-dialog.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Time } from "../../ui/figures.tsx";
import { Trash } from "../../ui/icons.ts";
import { type Conversation, titleOf } from "./conversation.ts";
import type { Playground } from "./create-playground.ts";

type HistoryDialogProps = {
  playground: Playground;
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

export function HistoryDialog(props: HistoryDialogProps): JSX.Element {
  const [clearing, setClearing] = createSignal(false);
  const { playground } = props;
  return (
    <>
      <Dialog
        open={props.open}
        onOpenChange={props.onOpenChange}
        title="History"
        description="Stored in this browser only."
      >
        <Show
          when={playground.past().length > 0}
          fallback={<p class="text-muted">No conversations yet.</p>}
        >
          <ul class="-mx-2 flex flex-col">
            <For each={playground.past()}>
              {(one) => (
                <Entry
                  conversation={one}
                  onOpen={() => {
                    playground.open(one);
                    props.onOpenChange(false);
                  }}
                  onForget={() => playground.forget(one.id)}
                />
              )}
            </For>
          </ul>
          <DialogActions>
            <Button onClick={() => setClearing(true)}>Clear history</Button>
          </DialogActions>
        </Show>
      </Dialog>
      <AlertDialog
        open={clearing()}
        onOpenChange={setClearing}
        title="Clear the history?"
        confirmLabel="Clear history"
        onConfirm={() => {
          playground.forgetAll();
          setClearing(false);
          props.onOpenChange(false);
        }}
      >
        Deletes all conversations in this browser. Logs aren't affected.
      </AlertDialog>
    </>
  );
}

type EntryProps = { conversation: Conversation; onOpen: () => void; onForget: () => void };

function Entry(props: EntryProps): JSX.Element {
  const title = () => titleOf(props.conversation) || "Untitled";
  return (
    <li class="flex items-center gap-1 rounded-control hover:bg-hover">
      <button
        type="button"
        class="flex min-h-11 min-w-0 flex-1 flex-col justify-center rounded-control px-2 py-1.5 text-start"
        onClick={() => props.onOpen()}
      >
        <span class="w-full truncate font-medium">{title()}</span>
        <span class="w-full truncate text-xs text-muted">
          {props.conversation.threads.map(({ model }) => model).join(", ")} ·{" "}
          <Time at={new Date(props.conversation.updatedAt).toISOString()} inRow />
        </span>
      </button>
      <IconButton label={`Delete “${title()}”`} onClick={props.onForget}>
        <Trash class="size-4" aria-hidden="true" />
      </IconButton>
    </li>
  );
}
