// One conversation of the history: a click opens it, a menu does the rest.
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { useAccount } from "../../../lib/session.ts";
import { Button, iconButtonClass } from "../../../ui/buttons/button.tsx";
import { Time } from "../../../ui/figures/figures.tsx";
import { TextField } from "../../../ui/forms/text-field.tsx";
import { Ellipsis } from "../../../ui/icons.ts";
import { Menu, MenuItem, MenuSeparator } from "../../../ui/menus/menu.tsx";
import { type Conversation, nameCharsMax, titleOf } from "../conversation/conversation.ts";

type EntryProps = {
  conversation: Conversation;
  onOpen: () => void;
  onRename: (name: string) => void;
  onDownload: (kind: "json" | "md") => void;
  /** Absent where nothing can be shared. */
  onShare: (() => void) | undefined;
  onForget: () => void;
};

export function HistoryEntry(props: EntryProps): JSX.Element {
  let entry: HTMLLIElement | undefined;
  const [renaming, setRenaming] = createSignal(false);
  const endRenaming = () => {
    setRenaming(false);
    entry?.querySelector("button")?.focus();
  };
  const title = () => titleOf(props.conversation);
  const account = useAccount();
  const shareLabel = () =>
    account()?.kind === "personal" ? "Save in your account" : `Share with ${account()?.name}`;
  return (
    <li ref={entry} class="flex items-center gap-1 rounded-control hover:bg-hover">
      <Show when={!renaming()} fallback={<NameForm {...props} onClose={endRenaming} />}>
        <button
          type="button"
          class="flex min-h-11 min-w-0 flex-1 flex-col justify-center rounded-control px-2 py-1.5 text-start"
          onClick={() => props.onOpen()}
        >
          <span class="w-full truncate font-medium">{title()}</span>
          <span class="w-full truncate text-xs text-muted">
            <Time at={new Date(props.conversation.updatedAt).toISOString()} inRow /> ·{" "}
            {props.conversation.threads.map(({ model }) => model).join(", ")}
          </span>
        </button>
        <Menu
          label={`Actions for ${title()}`}
          triggerClass={iconButtonClass()}
          trigger={<Ellipsis class="size-4" aria-hidden="true" />}
        >
          <MenuItem onSelect={() => setRenaming(true)}>Rename</MenuItem>
          <MenuItem onSelect={() => props.onDownload("json")}>Download as JSON</MenuItem>
          <MenuItem onSelect={() => props.onDownload("md")}>Download as Markdown</MenuItem>
          <Show when={props.onShare}>
            {(share) => (
              <MenuItem changes onSelect={() => share()()}>
                {shareLabel()}
              </MenuItem>
            )}
          </Show>
          <MenuSeparator />
          <MenuItem destructive onSelect={props.onForget}>
            Delete
          </MenuItem>
        </Menu>
      </Show>
    </li>
  );
}

function NameForm(props: EntryProps & { onClose: () => void }): JSX.Element {
  const [name, setName] = createSignal(titleOf(props.conversation));
  const save = () => {
    props.onRename(name());
    props.onClose();
  };
  // Before the dialog hears of the key, which it would close by.
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    props.onClose();
  };
  return (
    <form
      class="flex w-full flex-wrap items-end gap-2 p-2"
      on:keydown={onKey}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <div class="min-w-40 flex-1">
        <TextField
          label="Name"
          autocomplete="off"
          maxlength={nameCharsMax}
          value={name()}
          onInput={setName}
          // After the menu has given the focus back.
          ref={(element) => setTimeout(() => element.select())}
        />
      </div>
      <Button onClick={props.onClose}>Cancel</Button>
      <Button variant="primary" type="submit">
        Save
      </Button>
    </form>
  );
}
