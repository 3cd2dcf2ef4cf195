// The conversations that members shared in the account, in the history.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { type Answers, api } from "../../../lib/api.ts";
import { useAccount } from "../../../lib/session.ts";
import { useAnswer } from "../../../lib/use-query.ts";
import { IconButton } from "../../../ui/buttons/button.tsx";
import { Time } from "../../../ui/figures/figures.tsx";
import { Trash } from "../../../ui/icons.ts";
import { Loaded } from "../../../ui/states/loaded.tsx";
import { useRemoveShared } from "./remove-shared.ts";

export const sharedListKey = ["conversations", "list"] as const;

type Shared = Answers["conversations"]["list"][number];

/** `onOpen`: its page is about to be shown. */
export function SharedList(props: { onOpen: () => void }): JSX.Element {
  const account = useAccount();
  const query = useAnswer(sharedListKey, (call) => api.conversations.list.query(undefined, call));
  const remove = useRemoveShared();
  return (
    <section class="mt-6">
      <h3 class="mb-1 font-semibold">
        {account()?.kind === "personal" ? "Saved in your account" : `Shared in ${account()?.name}`}
      </h3>
      <Loaded query={query} what="the shared conversations">
        {(list) => (
          <ul class="-mx-2 flex flex-col">
            <For
              each={list()}
              fallback={<li class="px-2 text-sm text-muted">None yet. Share one by its menu.</li>}
            >
              {(one) => <Entry of={one} onOpen={props.onOpen} onRemove={() => remove(one)} />}
            </For>
          </ul>
        )}
      </Loaded>
    </section>
  );
}

function Entry(props: { of: Shared; onOpen: () => void; onRemove: () => void }): JSX.Element {
  const title = () => props.of.title ?? "This conversation can't be opened";
  return (
    <li class="flex items-center gap-1 rounded-control hover:bg-hover">
      <A
        href={`/playground?shared=${props.of.id}`}
        class="flex min-h-11 min-w-0 flex-1 flex-col justify-center rounded-control px-2 py-1.5 text-text no-underline"
        onClick={props.onOpen}
      >
        <span class="w-full truncate font-medium">{title()}</span>
        <span class="w-full truncate text-xs text-muted">
          {props.of.sharedBy} · <Time at={props.of.sharedAt} inRow />
        </span>
      </A>
      <Show when={props.of.mayRemove}>
        <IconButton label={`Stop sharing ${title()}`} onClick={props.onRemove}>
          <Trash class="size-4" aria-hidden="true" />
        </IconButton>
      </Show>
    </li>
  );
}
