// The pages of the playground, by what is asked of a model: only those that some model is for.
import { A, useLocation } from "@solidjs/router";
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { modelsFor, type Operation } from "../../../lib/queries.ts";
import type { Model } from "../conversation/conversation.ts";

type Kind = {
  readonly path: string;
  readonly name: string;
  readonly operations: readonly Operation[];
};

const kinds: readonly Kind[] = [
  { path: "/playground", name: "Chat", operations: ["chat"] },
  { path: "/playground/images", name: "Images", operations: ["image"] },
  { path: "/playground/audio", name: "Audio", operations: ["speech", "transcription"] },
];

export function PlaygroundKinds(props: { models: readonly Model[] }): JSX.Element {
  const location = useLocation();
  const offered = () =>
    kinds.filter(({ operations }) =>
      operations.some((operation) => modelsFor(operation, props.models).length > 0),
    );
  const isCurrent = ({ path }: Kind) => location.pathname.endsWith(path);
  return (
    <Show when={offered().length > 1}>
      <nav aria-label="Playground" class="mb-4 flex gap-1">
        <For each={offered()}>
          {(kind) => (
            <A
              href={kind.path}
              end
              aria-current={isCurrent(kind) ? "page" : undefined}
              class="inline-flex h-8 items-center rounded-control px-3 text-sm text-muted no-underline transition-colors hover:bg-hover hover:text-text aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-text pointer-coarse:h-11"
            >
              {kind.name}
            </A>
          )}
        </For>
      </nav>
    </Show>
  );
}
