// The Playground: ask any model and see, under each answer, how fast it was and what it cost.
import { useSearchParams } from "@solidjs/router";
import { useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createEffect, Show } from "solid-js";
import { useModels } from "../queries.ts";
import { balanceKey, meKey, useMe } from "../session.ts";
import { Loaded } from "../ui/loaded.tsx";
import { EmptyState } from "../ui/states.tsx";
import { askCharge } from "./ask-charge.ts";
import { ChatView } from "./chat-view.tsx";
import { type Model, newConversation } from "./conversation.ts";
import { createPlayground } from "./create-playground.ts";
import { openHistory } from "./history.ts";
import { t } from "./texts.ts";

export default function PlaygroundPage(): JSX.Element {
  const query = useModels();
  const me = useMe();
  const accountId = () => (me.isSuccess ? me.data?.account.id : undefined);
  return (
    <Loaded query={query} what={t("page.what")}>
      {(models) => (
        <Show when={models().length > 0} fallback={<EmptyState title={t("page.noModels")} />}>
          <Show when={accountId()} keyed>
            {(id) => <Chat models={models()} accountId={id} />}
          </Show>
        </Show>
      )}
    </Loaded>
  );
}

function Chat(props: { models: readonly Model[]; accountId: string }): JSX.Element {
  const client = useQueryClient();
  const [search, setSearch] = useSearchParams<{ model?: string; chat?: string }>();
  const history = openHistory(props.accountId);
  const modelOf = (id: string) => props.models.find((model) => model.id === id);
  const known = (id: string | undefined) => (id === undefined ? undefined : modelOf(id)?.id);
  const { conversations } = history.read();
  const model = known(search.model) ?? known(conversations[0]?.model) ?? props.models[0]?.id ?? "";
  // What a reload or Back comes back to.
  const open = conversations.find((one) => one.id === search.chat);
  const playground = createPlayground({
    history,
    initial: open ? { ...open, model } : newConversation(model),
    modelOf,
    askCharge,
    onEnd(ending) {
      void client.invalidateQueries({ queryKey: balanceKey });
      const expired = ending.kind === "failed" && ending.failure.code === "unauthenticated";
      if (expired) client.setQueryData(meKey, null);
    },
  });
  createEffect(() => {
    const { id, model, messages } = playground.conversation;
    setSearch({ model, chat: messages.length > 0 ? id : undefined }, { replace: true });
  });
  return <ChatView playground={playground} models={props.models} />;
}
