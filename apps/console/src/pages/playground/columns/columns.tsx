// The threads of a conversation beside each other, each with its messages. On phones several scroll sideways.
import type { JSX } from "solid-js";
import { For, lazy, Show, Suspense } from "solid-js";
import { loadOnce } from "../../../lib/load-once.ts";
import { SkeletonRows } from "../../../ui/states/skeleton.tsx";
import { hasMessages } from "../conversation/conversation.ts";
import type { ShownColumn } from "./create-column.ts";

/** Loaded after the page, which is drawn without messages first. */
export const Messages = lazy(loadOnce(() => import("../answers/messages.tsx")));

type ColumnsProps<Column> = {
  columns: readonly Column[];
  nameOf: (model: string) => string;
  /** Above the messages of each of several. */
  head: (column: Column) => JSX.Element;
  /** Who asked, if it was someone else. */
  sharedBy?: string;
};

export function Columns<Column extends ShownColumn>(props: ColumnsProps<Column>): JSX.Element {
  const many = () => props.columns.length > 1;
  const empty = () => !hasMessages({ threads: props.columns.map(({ thread }) => thread) });
  return (
    // biome-ignore lint/a11y/useSemanticElements: columns that must scroll by keyboard
    <div
      role="group"
      tabindex={many() ? 0 : undefined}
      aria-label={many() ? "Conversation of each model" : undefined}
      class="grid min-w-0 auto-cols-[minmax(min(100%,16rem),1fr)] grid-flow-col items-start gap-4 lg:auto-cols-[minmax(14rem,1fr)]"
      classList={{ "flex-1": many() || !empty(), "relative overflow-x-auto": many() }}
    >
      <For each={props.columns}>
        {(column) => (
          <section
            aria-label={`Answers of ${props.nameOf(column.thread.model)}`}
            class="flex min-w-0 flex-col gap-4"
            classList={{ "rounded-card border border-border p-3": many() }}
          >
            <Show when={many()}>{props.head(column)}</Show>
            <Suspense fallback={empty() ? undefined : <SkeletonRows />}>
              <Messages column={column} nameOf={props.nameOf} sharedBy={props.sharedBy} />
            </Suspense>
          </section>
        )}
      </For>
    </div>
  );
}
