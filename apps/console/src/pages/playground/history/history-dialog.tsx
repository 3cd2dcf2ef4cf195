// The conversations of this browser: found, opened, named, downloaded, imported, deleted and taken back.
import type { JSX } from "solid-js";
import { createMemo, createSignal, For, Show } from "solid-js";
import { downloadFile } from "../../../lib/download-file.ts";
import { slugOf } from "../../../lib/markdown/slug-of.ts";
import { useConfig } from "../../../lib/session.ts";
import { Button, DialogActions } from "../../../ui/buttons/button.tsx";
import AlertDialog from "../../../ui/dialogs/alert-dialog.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { TextField } from "../../../ui/forms/text-field.tsx";
import { type Conversation, titleOf } from "../conversation/conversation.ts";
import { writeConversation } from "../conversation/conversation-file.ts";
import { writeMarkdown } from "../conversation/write-markdown.ts";
import type { Playground } from "../create-playground.ts";
import { ShareDialog } from "../sharing/share-dialog.tsx";
import { SharedList } from "../sharing/shared-list.tsx";
import { HistoryEntry } from "./history-entry.tsx";
import { ImportButton } from "./import-button.tsx";
import { isFound } from "./search-history.ts";

type HistoryDialogProps = { playground: Playground };

export function HistoryDialog(props: HistoryDialogProps): JSX.Element {
  const [clearing, setClearing] = createSignal(false);
  const [sharing, setSharing] = createSignal<Conversation>();
  const config = useConfig();
  // What is shared is sealed like stored prompts.
  const canShare = () => config.data?.prompts === true;
  const { playground } = props;
  const close = () => playground.setSheet(undefined);
  return (
    <>
      <Dialog
        open={playground.sheet() === "history"}
        onOpenChange={close}
        title="History"
        description="Stored in this browser only, until you sign out."
      >
        <Kept {...props} onShare={canShare() ? setSharing : undefined} />
        <Show when={canShare()}>
          <SharedList onOpen={close} />
        </Show>
        <DialogActions>
          <Show when={playground.past().length > 0}>
            <Button onClick={() => setClearing(true)}>Clear history</Button>
          </Show>
          <ImportButton
            onImport={(conversation) => {
              playground.open(conversation);
              playground.keep();
              close();
            }}
          />
        </DialogActions>
      </Dialog>
      <AlertDialog
        open={clearing()}
        onOpenChange={setClearing}
        title="Clear the history?"
        confirmLabel="Clear history"
        onConfirm={() => {
          playground.forgetAll();
          setClearing(false);
          close();
        }}
      >
        Deletes all conversations in this browser. Logs and what is shared aren't affected.
      </AlertDialog>
      <ShareDialog conversation={sharing()} onClose={() => setSharing(undefined)} />
    </>
  );
}

type KeptProps = HistoryDialogProps & {
  onShare: ((conversation: Conversation) => void) | undefined;
};

function Kept(props: KeptProps): JSX.Element {
  const { playground } = props;
  let list: HTMLUListElement | undefined;
  const [sought, setSought] = createSignal("");
  const [forgotten, setForgotten] = createSignal<Conversation>();
  const found = createMemo(() => playground.past().filter((one) => isFound(one, sought())));
  const open = (one: Conversation) => {
    playground.open(one);
    playground.setSheet(undefined);
  };
  const forget = (one: Conversation) => {
    playground.forget(one.id);
    setForgotten(one);
  };
  const restore = (one: Conversation) => {
    playground.restore(one);
    setForgotten(undefined);
    list?.querySelector("button")?.focus();
  };
  const download = (one: Conversation, kind: "json" | "md") => {
    const text = kind === "json" ? writeConversation(one) : writeMarkdown(one, playground.nameOf);
    const name = `${slugOf(titleOf(one)).slice(0, 60) || "conversation"}.${kind}`;
    downloadFile(name, text, kind === "json" ? "application/json" : "text/markdown");
  };
  return (
    <Show
      when={playground.past().length > 0 || forgotten()}
      fallback={<p class="text-muted">No conversations yet.</p>}
    >
      <TextField
        label="Search conversations"
        type="search"
        autocomplete="off"
        value={sought()}
        onInput={setSought}
      />
      <div role="status">
        {/* Keyed: Undo takes the focus of each deleted row. */}
        <Show when={forgotten()} keyed>
          {(one) => <Forgotten of={one} onUndo={() => restore(one)} />}
        </Show>
      </div>
      <ul ref={list} aria-label="Conversations" class="-mx-2 mt-3 flex flex-col">
        <For
          each={found()}
          fallback={
            <Show when={sought() !== ""}>
              <li class="px-2 text-muted">No conversation contains this.</li>
            </Show>
          }
        >
          {(one) => (
            <HistoryEntry
              conversation={one}
              onOpen={() => open(one)}
              onRename={(name) => playground.rename(one.id, name)}
              onDownload={(kind) => download(one, kind)}
              onShare={props.onShare && (() => props.onShare?.(one))}
              onForget={() => forget(one)}
            />
          )}
        </For>
      </ul>
    </Show>
  );
}

/** Instead of a question before: nothing is lost while the dialog is open. */
function Forgotten(props: { of: Conversation; onUndo: () => void }): JSX.Element {
  return (
    <p class="mt-3 flex items-center justify-between gap-3 rounded-control bg-surface px-3 py-1.5 text-sm">
      <span class="min-w-0 truncate">Deleted “{titleOf(props.of)}”</span>
      <Button
        size="small"
        // The row that had the focus is gone.
        ref={(element) => queueMicrotask(() => element.focus())}
        onClick={props.onUndo}
      >
        Undo
      </Button>
    </p>
  );
}
