// What does this model draw, and what does it cost? Says the most before it is asked, and what it was afterwards.
import type { JSX } from "solid-js";
import { lazy, Show, Suspense } from "solid-js";
import { loadOnce } from "../../lib/load-once.ts";
import { modelsFor, useModels } from "../../lib/queries.ts";
import { PageHeader } from "../../ui/layout/page-header.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";
import { EmptyState } from "../../ui/states/states.tsx";
import { PlaygroundKinds } from "./media/playground-kinds.tsx";

const ImageStudio = lazy(loadOnce(() => import("./images/image-studio.tsx")));

export default function ImagesPage(): JSX.Element {
  const query = useModels();
  return (
    <Loaded query={query} what="the models">
      {(models) => (
        <>
          <PlaygroundKinds models={models()} />
          <PageHeader description="Draw images from a text, or edit your own. Each request is billed to the account of this page." />
          <Show
            when={modelsFor("image", models()).length > 0}
            fallback={<EmptyState title="No models for images are enabled." />}
          >
            <Suspense fallback={<Skeleton class="h-96 rounded-card!" />}>
              <ImageStudio models={modelsFor("image", models())} />
            </Suspense>
          </Show>
        </>
      )}
    </Loaded>
  );
}
