// A conversation that a member shared: read-only, until it is continued as one's own copy.
import type { JSX } from "solid-js";
import { createMemo, createSignal, Show } from "solid-js";
import { type Answers, api } from "../../../lib/api.ts";
import { readFailure } from "../../../lib/read-failure.ts";
import { useQuery } from "../../../lib/use-query.ts";
import { Button, ButtonLink } from "../../../ui/buttons/button.tsx";
import { Time } from "../../../ui/figures/figures.tsx";
import { Loaded } from "../../../ui/states/loaded.tsx";
import { EmptyState } from "../../../ui/states/states.tsx";
import { Columns } from "../columns/columns.tsx";
import type { Conversation, Model } from "../conversation/conversation.ts";
import { parseConversation } from "../conversation/parse-conversation.ts";
import { NotAConversation } from "../conversation/parse-fields.ts";
import { useRemoveShared } from "./remove-shared.ts";

type SharedConversationProps = {
  id: string;
  models: readonly Model[];
  onContinue: (copy: Conversation) => void;
};

export default function SharedConversation(props: SharedConversationProps): JSX.Element {
  const [removed, setRemoved] = createSignal(false);
  const query = useQuery(() => ({
    queryKey: ["conversations", "read", props.id],
    queryFn: ({ signal }) => api.conversations.read.query({ id: props.id }, { signal }),
    retry: false,
    enabled: !removed(),
    // It never changes.
    staleTime: Number.POSITIVE_INFINITY,
  }));
  const missing = () => query.isError && /^(not_found|invalid)/.test(readFailure(query.error).code);
  return (
    <Show
      when={!missing() && !removed()}
      fallback={<Nothing title="This conversation is not shared here, or no longer." />}
    >
      <Loaded query={query} what="this conversation">
        {(shared) => <Opened {...props} shared={shared()} onRemoved={() => setRemoved(true)} />}
      </Loaded>
    </Show>
  );
}

function Nothing(props: { title: string }): JSX.Element {
  return (
    <EmptyState
      title={props.title}
      action={<ButtonLink href="/playground">Open the playground</ButtonLink>}
    />
  );
}

type OpenedProps = SharedConversationProps & {
  shared: Answers["conversations"]["read"];
  onRemoved: () => void;
};

function Opened(props: OpenedProps): JSX.Element {
  const read = createMemo(() => tryToRead(props.shared.content));
  return (
    <Show
      when={read()}
      keyed
      fallback={<Nothing title="This conversation is in a form that this console does not know." />}
    >
      {(conversation) => <ReadOnly {...props} conversation={conversation} />}
    </Show>
  );
}

/** Members may send anything: it is trusted no more than a file. */
function tryToRead(content: string): Conversation | undefined {
  try {
    return parseConversation(content);
  } catch (error) {
    if (error instanceof NotAConversation) return undefined;
    throw error;
  }
}

function ReadOnly(props: OpenedProps & { conversation: Conversation }): JSX.Element {
  const remove = useRemoveShared(() => props.onRemoved());
  const { conversation } = props;
  const nameOf = (id: string) => props.models.find((model) => model.id === id)?.name ?? id;
  return (
    <div class="flex flex-col gap-5">
      <div class="flex flex-wrap items-center gap-x-6 gap-y-3 rounded-card border border-border bg-surface px-4 py-3">
        <div class="min-w-0 flex-1 basis-64">
          <h2 class="font-semibold wrap-anywhere">{props.shared.title ?? conversation.name}</h2>
          <p class="text-sm text-muted">
            Shared by {props.shared.sharedBy}, <Time at={props.shared.sharedAt} />.{" "}
            <span class="whitespace-nowrap">Read-only.</span>
          </p>
        </div>
        <div class="flex flex-wrap gap-2">
          <Show when={props.shared.mayRemove}>
            <Button onClick={() => remove(props.shared)}>Stop sharing</Button>
          </Show>
          <Button variant="primary" onClick={() => props.onContinue(conversation)}>
            Continue in a copy
          </Button>
        </div>
      </div>
      <Show when={conversation.system.trim()}>
        {(system) => (
          <details class="rounded-card border border-border">
            <summary class="px-4 py-2 text-sm text-muted">System prompt</summary>
            <p class="border-t border-border px-4 py-3 whitespace-pre-wrap wrap-anywhere">
              {system()}
            </p>
          </details>
        )}
      </Show>
      <Columns
        columns={conversation.threads.map((thread) => ({ thread }))}
        nameOf={nameOf}
        head={({ thread }) => <p class="px-4 font-medium">{nameOf(thread.model)}</p>}
        sharedBy={props.shared.sharedBy}
      />
    </div>
  );
}
