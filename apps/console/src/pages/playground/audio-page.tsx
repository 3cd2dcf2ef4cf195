// What does this voice sound like, and what does this recording say? Says what either costs, before and afterwards.
import { useSearchParams } from "@solidjs/router";
import type { JSX } from "solid-js";
import { lazy, Match, Show, Suspense, Switch } from "solid-js";
import { loadOnce } from "../../lib/load-once.ts";
import { modelsFor, useModels } from "../../lib/queries.ts";
import { PageHeader } from "../../ui/layout/page-header.tsx";
import { Tabs } from "../../ui/menus/tabs.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";
import { EmptyState } from "../../ui/states/states.tsx";
import type { Model } from "./conversation/conversation.ts";
import { PlaygroundKinds } from "./media/playground-kinds.tsx";

const SpeechStudio = lazy(loadOnce(() => import("./audio/speech-studio.tsx")));
const TranscriptionStudio = lazy(loadOnce(() => import("./audio/transcription-studio.tsx")));

export default function AudioPage(): JSX.Element {
  const query = useModels();
  return (
    <Loaded query={query} what="the models">
      {(models) => (
        <>
          <PlaygroundKinds models={models()} />
          <PageHeader description="Have a text spoken, or a recording written down. Each request is billed to the account of this page." />
          <Show
            when={tabsFor(models()).length > 0}
            fallback={<EmptyState title="No models for audio are enabled." />}
          >
            <AudioTabs models={models()} />
          </Show>
        </>
      )}
    </Loaded>
  );
}

const tabs = [
  { id: "speech", label: "Speech" },
  { id: "transcription", label: "Transcription" },
] as const;
type TabId = (typeof tabs)[number]["id"];

function tabsFor(models: readonly Model[]) {
  return tabs.filter(({ id }) => modelsFor(id, models).length > 0);
}

function AudioTabs(props: { models: readonly Model[] }): JSX.Element {
  const [search, setSearch] = useSearchParams<{ tab?: string; model?: string }>();
  const offered = () => tabsFor(props.models);
  // A link to a model leads to what it is for.
  const named = () =>
    search.tab ?? props.models.find(({ id }) => id === search.model)?.operation ?? "";
  const current = () => offered().find(({ id }) => id === named()) ?? offered()[0] ?? tabs[0];
  const choose = (tab: TabId) => setSearch({ tab, model: undefined }, { replace: true });
  return (
    <Tabs label="Audio" tabs={offered()} value={current().id} onChange={choose} panelClass="pt-5">
      <Suspense fallback={<Skeleton class="h-96 rounded-card!" />}>
        <Switch>
          <Match when={current().id === "speech"}>
            <SpeechStudio models={modelsFor("speech", props.models)} />
          </Match>
          <Match when={current().id === "transcription"}>
            <TranscriptionStudio models={modelsFor("transcription", props.models)} />
          </Match>
        </Switch>
      </Suspense>
    </Tabs>
  );
}
