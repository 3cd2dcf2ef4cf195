// The Playground: chat with any model and see, under each answer, how fast it was and what it cost.
import { useSearchParams } from "@solidjs/router";
import { useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createEffect, createMemo, on, Show, untrack } from "solid-js";
import { chatModelsOf, useModels } from "../../lib/queries.ts";
import { balanceKey, useMe } from "../../lib/session.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { useMedia } from "../../ui/use-media.ts";
import { askCharge } from "./ask-charge.ts";
import { ChatView } from "./chat-view.tsx";
import { CompareView } from "./compare-view.tsx";
import { type Model, newConversation } from "./conversation.ts";
import type { AnsweringOptions } from "./create-answering.ts";
import { comparedMax, createComparison } from "./create-comparison.ts";
import { createPlayground } from "./create-playground.ts";
import { openHistory } from "./history.ts";

export default function PlaygroundPage(): JSX.Element {
  const query = useModels();
  const me = useMe();
  const accountId = () => me.data?.account?.id;
  return (
    <Loaded query={query} what="the models">
      {(models) => {
        const chatModels = () => chatModelsOf(models());
        return (
          <Show
            when={chatModels().length > 0}
            fallback={<EmptyState title="No models are enabled." />}
          >
            <Show when={accountId()} keyed>
              {(id) => <Chat models={chatModels()} accountId={id} />}
            </Show>
          </Show>
        );
      }}
    </Loaded>
  );
}

type ChatProps = { models: readonly Model[]; accountId: string };
type Search = { model?: string; chat?: string; compare?: string };

function Chat(props: ChatProps): JSX.Element {
  const wide = useMedia("(width >= 64rem)");
  const [search] = useSearchParams<Search>();
  const known = () =>
    (search.compare ?? "")
      .split(",")
      .filter((id) => props.models.some((model) => model.id === id))
      .slice(0, comparedMax);
  const comparing = createMemo(() => wide() && known().length > 1);
  return (
    <Show when={comparing()} fallback={<OneChat {...props} />}>
      <ManyChats {...props} compared={untrack(known)} />
    </Show>
  );
}

function useAnswering(models: readonly Model[]): AnsweringOptions {
  const client = useQueryClient();
  return {
    modelOf: (id) => models.find((model) => model.id === id),
    askCharge,
    // After an expired session this query is refused too, which leads to the sign-in page.
    onEnd: () => void client.invalidateQueries({ queryKey: balanceKey }),
  };
}

function OneChat(props: ChatProps): JSX.Element {
  const [search, setSearch] = useSearchParams<Search>();
  const answering = useAnswering(props.models);
  const history = openHistory(props.accountId);
  const known = (id: string | undefined) =>
    id === undefined ? undefined : answering.modelOf(id)?.id;
  const { conversations } = history.read();
  const model = known(search.model) ?? known(conversations[0]?.model) ?? props.models[0]?.id ?? "";
  // Restored by a reload or Back.
  const open = conversations.find((one) => one.id === search.chat);
  const initial = open ? { ...open, model } : newConversation(model);
  const playground = createPlayground({ ...answering, history, initial });
  createEffect(() => {
    const { id, model, messages } = playground.conversation;
    setSearch({ model, chat: messages.length > 0 ? id : undefined }, { replace: true });
  });
  const other = () => props.models.find(({ id }) => id !== playground.conversation.model);
  const onCompare = () => {
    const second = other();
    if (second === undefined) return undefined;
    const compare = `${playground.conversation.model},${second.id}`;
    return () => setSearch({ model: undefined, chat: undefined, compare });
  };
  return <ChatView playground={playground} models={props.models} onCompare={onCompare()} />;
}

function ManyChats(props: ChatProps & { compared: readonly string[] }): JSX.Element {
  const [, setSearch] = useSearchParams<Search>();
  const comparison = createComparison(props.compared, useAnswering(props.models));
  const asked = () => comparison.columns().map(({ playground }) => playground.conversation.model);
  createEffect(
    on(asked, (models) => setSearch({ compare: models.join(",") }, { replace: true }), {
      defer: true,
    }),
  );
  return (
    <CompareView
      comparison={comparison}
      models={props.models}
      onEnd={() => setSearch({ compare: undefined, model: asked()[0] })}
    />
  );
}
