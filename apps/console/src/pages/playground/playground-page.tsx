// How does a model answer this? Chat with up to four models and see, under each answer, how fast it was and what it
// cost.
import { useLocation, useSearchParams } from "@solidjs/router";
import { useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import {
  createEffect,
  createSignal,
  lazy,
  Match,
  on,
  onMount,
  Show,
  Suspense,
  Switch,
  untrack,
} from "solid-js";
import { loadOnce } from "../../lib/load-once.ts";
import { chatModelsOf, useModels } from "../../lib/queries.ts";
import { balanceKey, useMe } from "../../lib/session.ts";
import { useAsked } from "../../lib/use-asked.ts";
import { showToast } from "../../ui/notices/toasts.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
import { EmptyState } from "../../ui/states/states.tsx";
import { askCharge } from "./answers/ask-charge.ts";
import { Messages } from "./columns/columns.tsx";
import {
  type Conversation,
  columnsMax,
  hasMessages,
  type Model,
  newConversation,
} from "./conversation/conversation.ts";
import { createPlayground, type Playground } from "./create-playground.ts";
import { createHistory } from "./history/history.ts";
import { PlaygroundKinds } from "./media/playground-kinds.tsx";
import { PlaygroundView } from "./playground-view.tsx";

const Replay = lazy(loadOnce(() => import("./replay/replay.tsx")));
const SharedConversation = lazy(loadOnce(() => import("./sharing/shared-conversation.tsx")));

export default function PlaygroundPage(): JSX.Element {
  const query = useModels();
  const me = useMe();
  const accountId = () => me.data?.account?.id;
  // While the models are read.
  onMount(() => void Messages.preload().catch(() => undefined));
  return (
    <Loaded query={query} what="the models">
      {(models) => {
        const chatModels = () => chatModelsOf(models());
        return (
          <Show
            when={chatModels().length > 0}
            fallback={<EmptyState title="No models are enabled." />}
          >
            <PlaygroundKinds models={models()} />
            <Show when={accountId()} keyed>
              {(id) => <Entrance models={chatModels()} accountId={id} />}
            </Show>
          </Show>
        );
      }}
    </Loaded>
  );
}

type AccountProps = { models: readonly Model[]; accountId: string };
type Search = {
  model?: string;
  chat?: string;
  compare?: string;
  /** The id of a conversation that a member shared. */
  shared?: string;
  /** The id of a request in Logs. */
  replay?: string;
};

function Entrance(props: AccountProps): JSX.Element {
  const [search, setSearch] = useSearchParams<Search>();
  const [brought, setBrought] = createSignal<Conversation>();
  const bring = (conversation: Conversation, replace: boolean) => {
    setBrought(conversation);
    setSearch({ shared: undefined, replay: undefined, chat: conversation.id }, { replace });
  };
  return (
    <Suspense>
      <Switch fallback={<Chat {...props} brought={brought()} />}>
        <Match when={search.shared} keyed>
          {(id) => (
            <SharedConversation
              id={id}
              models={props.models}
              onContinue={(copy) => bring(copy, false)}
            />
          )}
        </Match>
        <Match when={search.replay} keyed>
          {(id) => <Replay id={id} onRead={(conversation) => bring(conversation, true)} />}
        </Match>
      </Switch>
    </Suspense>
  );
}

type ChatProps = AccountProps & {
  /** From a shared conversation or a request; not in the history yet. */
  brought: Conversation | undefined;
};

/** The state of an address that was written here. Another address asks for its models. */
const following = { follows: true };

function Chat(props: ChatProps): JSX.Element {
  const client = useQueryClient();
  const [search] = useSearchParams<Search>();
  const known = (ids: readonly string[]) =>
    [...new Set(ids)]
      .filter((id) => props.models.some((model) => model.id === id))
      .slice(0, columnsMax);
  const wanted = () => (search.compare ?? search.model ?? "").split(",").filter(Boolean);
  const asked = () => known(wanted());
  const nameUnknown = () => {
    const unknown = wanted().filter((id) => !props.models.some((model) => model.id === id));
    if (unknown.length === 0) return;
    showToast({
      text: `Not offered here: ${unknown.join(", ")}. Choose another model.`,
      isError: true,
    });
  };
  nameUnknown();
  const history = createHistory(props.accountId);
  const { conversations } = history.read();
  const latest = known(conversations[0]?.threads.map(({ model }) => model).slice(0, 1) ?? []);
  const brought = untrack(() => props.brought);
  // Restored by a reload or Back; what was brought may have been continued since.
  const kept = conversations.find((one) => one.id === search.chat);
  const isNew = kept === undefined && brought !== undefined && brought.id === search.chat;
  const first = props.models.slice(0, 1).map(({ id }) => id);
  const models = [asked(), latest, first].find(({ length }) => length > 0) ?? [];
  const playground = createPlayground({
    history,
    initial: (isNew ? brought : kept) ?? newConversation(models),
    models: () => props.models,
    askCharge,
    // After an expired session this query is refused too, which leads to the sign-in page.
    onEnd: () => void client.invalidateQueries({ queryKey: balanceKey }),
  });
  if (isNew) playground.keep();
  followAddress(playground, asked, nameUnknown);
  useAsked("new-chat", () => {
    playground.startNew();
    // After the page's heading has taken the focus.
    setTimeout(() => document.querySelector<HTMLElement>("main textarea")?.focus());
  });
  return <PlaygroundView playground={playground} />;
}

/** Keeps the address that of the conversation. A link to a model that is followed while the page is open chooses it here. */
function followAddress(
  playground: Playground,
  asked: () => readonly string[],
  nameUnknown: () => void,
): void {
  const [search, setSearch] = useSearchParams<Search>();
  const location = useLocation<{ follows?: boolean }>();
  const { pathname } = location;
  createEffect(
    on(
      () => location.search,
      () => {
        if (location.state?.follows || location.pathname !== pathname) return;
        nameUnknown();
        const [one, ...others] = asked();
        if (one !== undefined) playground.choose(one);
        for (const model of others) {
          const { threads } = playground.conversation;
          if (!threads.some((thread) => thread.model === model)) playground.add(model);
        }
      },
      { defer: true },
    ),
  );
  createEffect(() => {
    const { conversation } = playground;
    const models = conversation.threads.map(({ model }) => model).join(",");
    const many = conversation.threads.length > 1;
    const next = {
      model: many ? undefined : models,
      compare: many ? models : undefined,
      chat: hasMessages(conversation) ? conversation.id : undefined,
    };
    // It may be that of the page that is about to be shown.
    if (location.pathname !== pathname) return;
    const { model, compare, chat } = search;
    if (model === next.model && compare === next.compare && chat === next.chat) return;
    setSearch(next, { replace: true, state: following });
  });
}
