// What does this model draw, and what does it cost? Says the most before it is asked, and what it was afterwards.
import { useSearchParams } from "@solidjs/router";
import { useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createEffect, createMemo, createSignal, For, on, onCleanup, Show } from "solid-js";
import { createStore } from "solid-js/store";
import { saveBlob } from "../../lib/download-file.ts";
import { formatCost } from "../../lib/format.ts";
import { modelsFor, useModels } from "../../lib/queries.ts";
import { balanceKey } from "../../lib/session.ts";
import { AddFundsLink } from "../../shell/add-funds.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Select } from "../../ui/forms/choices.tsx";
import { TextArea } from "../../ui/forms/text-field.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { PageHeader } from "../../ui/layout/page-header.tsx";
import { Banner } from "../../ui/notices/banner.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
import { EmptyState } from "../../ui/states/states.tsx";
import { describeRunFailure } from "./answers/describe-run-failure.ts";
import type { Model } from "./conversation/conversation.ts";
import {
  type Drawn,
  type DrawnImage,
  drawImages,
  type Estimated,
  estimateImages,
  type ImageBody,
} from "./images/draw-images.ts";

const auto = "auto";
const sizes = [auto, "1024x1024", "1536x1024", "1024x1536", "2048x2048", "3840x2160"] as const;
const qualities = [auto, "low", "medium", "high"] as const;
const counts = ["1", "2", "3", "4"] as const;

export default function ImagesPage(): JSX.Element {
  const query = useModels();
  return (
    <>
      <PageHeader description="Draw images from a text. Each request is billed to the account of this page." />
      <Loaded query={query} what="the models">
        {(models) => (
          <Show
            when={modelsFor("image", models()).length > 0}
            fallback={<EmptyState title="No models for images are enabled." />}
          >
            <Studio models={modelsFor("image", models())} />
          </Show>
        )}
      </Loaded>
    </>
  );
}

function Studio(props: { models: readonly Model[] }): JSX.Element {
  const client = useQueryClient();
  const [search, setSearch] = useSearchParams<{ model?: string }>();
  const model = () =>
    props.models.find(({ id }) => id === search.model)?.id ?? props.models[0]?.id ?? "";
  const [asked, setAsked] = createStore<Asked>({
    prompt: "",
    size: "1024x1024",
    quality: auto,
    count: "1",
  });
  const body = createMemo(() => bodyOf(model(), asked));
  const estimate = createEstimate(body);
  const [running, setRunning] = createSignal(false);
  const [drawn, setDrawn] = createSignal<{ readonly of: Drawn; readonly prompt: string }>();
  const controller = new AbortController();
  onCleanup(() => controller.abort());
  const draw = async (event: SubmitEvent) => {
    event.preventDefault();
    if (running() || asked.prompt.trim() === "") return;
    setRunning(true);
    const { prompt } = body();
    setDrawn({ of: await drawImages(body(), controller.signal), prompt });
    setRunning(false);
    await client.invalidateQueries({ queryKey: balanceKey });
  };
  return (
    <div class="flex flex-col gap-5">
      <Card>
        <form class="flex flex-col gap-4" onSubmit={(event) => void draw(event)}>
          <TextArea
            label="Prompt"
            rows={3}
            maxlength={32_000}
            value={asked.prompt}
            onInput={(prompt) => setAsked({ prompt })}
          />
          <div class="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
            <Select
              label="Model"
              value={model()}
              onChange={(id) => setSearch({ model: id }, { replace: true })}
              choices={props.models.map(({ id, name }) => ({ value: id, label: name }))}
            />
            <Select
              label="Size"
              value={asked.size}
              onChange={(size) => setAsked({ size })}
              choices={sizes.map(choiceOf)}
            />
            <Select
              label="Quality"
              value={asked.quality}
              onChange={(quality) => setAsked({ quality })}
              choices={qualities.map(choiceOf)}
            />
            <Select
              label="Images"
              value={asked.count}
              onChange={(count) => setAsked({ count })}
              choices={counts.map(choiceOf)}
            />
          </div>
          <div class="flex flex-wrap items-center gap-4">
            <Button
              type="submit"
              variant="primary"
              changes
              pending={running()}
              pendingLabel="Drawing…"
              disabled={asked.prompt.trim() === ""}
            >
              Draw
            </Button>
            <p role="status" class="text-sm text-muted">
              <Show when={estimate()}>{(known) => describeEstimate(known())}</Show>
            </p>
          </div>
        </form>
      </Card>
      <Show when={drawn()}>{(result) => <Result {...result()} />}</Show>
    </div>
  );
}

type Asked = {
  readonly prompt: string;
  readonly size: (typeof sizes)[number];
  readonly quality: (typeof qualities)[number];
  readonly count: (typeof counts)[number];
};

function choiceOf<Value extends string>(value: Value) {
  return { value, label: value === auto ? "Up to the model" : value };
}

function bodyOf(model: string, { prompt, size, quality, count }: Asked): ImageBody {
  return {
    model,
    prompt: prompt.trim(),
    n: Number(count),
    ...(size !== auto && { size }),
    ...(quality !== auto && { quality }),
  };
}

const pauseMs = 400;

/** Of the body as it is once nobody types; undefined without a prompt. */
function createEstimate(body: () => ImageBody): () => Estimated | undefined {
  const [estimate, setEstimate] = createSignal<Estimated>();
  createEffect(
    on(body, (wanted) => {
      if (wanted.prompt === "") return setEstimate(undefined);
      const controller = new AbortController();
      const ask = async () => {
        const found = await estimateImages(wanted, controller.signal);
        if (!controller.signal.aborted) setEstimate(found);
      };
      const timer = setTimeout(() => void ask(), pauseMs);
      onCleanup(() => {
        clearTimeout(timer);
        controller.abort();
      });
    }),
  );
  return estimate;
}

function describeEstimate(estimate: Estimated): string {
  if (estimate.kind === "estimated") return `At most ${formatCost(estimate.maxUsd)}`;
  return estimate.failure.message;
}

function Result(props: { of: Drawn; prompt: string }): JSX.Element {
  const drawn = () => (props.of.kind === "drawn" ? props.of : undefined);
  const failure = () =>
    props.of.kind === "failed" ? describeRunFailure(props.of.failure, false) : undefined;
  return (
    <>
      <Show when={failure()}>
        {(found) => (
          <Banner tone="danger" urgent action={found().wayOn === "funds" && <AddFundsLink />}>
            {found().text} {found().detail}
          </Banner>
        )}
      </Show>
      <Show when={drawn()}>
        {(result) => (
          <Card title="Images" description={`Cost: ${formatCost(result().costUsd)}`}>
            <ul class="grid gap-4 sm:grid-cols-2">
              <For each={result().images}>
                {(image, index) => (
                  <li class="flex flex-col items-start gap-2">
                    <img
                      src={`data:${image.type};base64,${image.base64}`}
                      alt={`${index() + 1}: ${props.prompt}`}
                      class="max-w-full rounded-card border border-border"
                    />
                    <Button size="small" onClick={() => download(image, index() + 1)}>
                      Download image {index() + 1}
                    </Button>
                  </li>
                )}
              </For>
            </ul>
          </Card>
        )}
      </Show>
    </>
  );
}

function download({ base64, type }: DrawnImage, place: number): void {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  saveBlob(`image-${place}.${type.replace("image/", "")}`, new Blob([bytes], { type }));
}
