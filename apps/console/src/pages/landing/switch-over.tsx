// For people who come from another API: the two lines to change, and what their models cost here.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createMemo, createSignal, For, Show } from "solid-js";
import type { Answers } from "../../lib/api.ts";
import { formatPrice } from "../../lib/format.ts";
import { useModels } from "../../lib/queries.ts";
import { useConfig } from "../../lib/session.ts";
import { splitList } from "../../lib/typed-text.ts";
import {
  describeUnitPrices,
  inputPriceOf,
  outputPriceOf,
} from "../../product/prices/shown-prices.ts";
import { TextArea } from "../../ui/forms/text-field.tsx";
import { Tabs } from "../../ui/menus/tabs.tsx";

type Model = Answers["models"]["list"][number];

const origins = [
  { id: "openai", label: "OpenAI", baseUrl: "https://api.openai.com/v1", doc: "migrate" },
  {
    id: "openrouter",
    label: "OpenRouter",
    baseUrl: "https://openrouter.ai/api/v1",
    doc: "migrate-openrouter",
  },
  { id: "litellm", label: "LiteLLM", baseUrl: "http://localhost:4000", doc: "migrate-litellm" },
] as const;

export function SwitchOver(): JSX.Element {
  const config = useConfig();
  const [from, setFrom] = createSignal<(typeof origins)[number]["id"]>("openai");
  const origin = () => origins.find(({ id }) => id === from()) ?? origins[0];
  return (
    <section class="grid items-start gap-8 lg:grid-cols-2">
      <div class="flex min-w-0 flex-col gap-4">
        <h2 class="text-xl font-semibold tracking-tight">Two lines to change</h2>
        <div class="overflow-hidden rounded-card border border-border">
          <Tabs label="Where you come from" tabs={origins} value={from()} onChange={setFrom}>
            <pre translate="no" class="overflow-x-auto p-4 font-mono text-sm leading-7">
              <del class="block text-danger no-underline">- base_url="{origin().baseUrl}"</del>
              <ins class="block text-success no-underline">
                + base_url="{config.data?.apiBaseUrl ?? ""}"
              </ins>
              <del class="block text-danger no-underline">- api_key=OLD_KEY</del>
              <ins class="block text-success no-underline">+ api_key="sk-tp-..."</ins>
            </pre>
          </Tabs>
        </div>
        <A href={`/docs/${origin().doc}`} class="link self-start">
          What else differs from {origin().label}
        </A>
      </div>
      <OwnModels />
    </section>
  );
}

function OwnModels(): JSX.Element {
  const models = useModels();
  const [text, setText] = createSignal("");
  const found = createMemo(() =>
    splitList(text()).map((asked) => ({ asked, model: findModel(models.data ?? [], asked) })),
  );
  return (
    <div class="flex min-w-0 flex-col gap-4">
      <TextArea
        label="Paste the IDs of the models you use"
        value={text()}
        onInput={setText}
        rows={3}
        mono
        spellcheck={false}
        placeholder={models.data?.[0]?.id ?? ""}
      />
      <ul aria-live="polite" class="flex flex-col divide-y divide-border">
        <For each={found()}>
          {({ asked, model }) => (
            <li class="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
              <Show
                when={model}
                fallback={
                  <>
                    <span class="wrap-anywhere">{asked}</span>
                    <span class="text-muted">not offered here</span>
                  </>
                }
              >
                {(known) => (
                  <>
                    <A href={`/models/${known().id}`} class="link wrap-anywhere">
                      {known().id}
                    </A>
                    <span class="figures text-sm text-muted">{ratesOf(known())}</span>
                  </>
                )}
              </Show>
            </li>
          )}
        </For>
      </ul>
    </div>
  );
}

/** By its id, or by the part of it behind the vendor, as the API finds it. */
function findModel(models: readonly Model[], asked: string): Model | undefined {
  const bare = (id: string) => id.slice(id.lastIndexOf("/") + 1).toLowerCase();
  return models.find(({ id }) => id === asked) ?? models.find(({ id }) => bare(id) === bare(asked));
}

export function ratesOf(model: Pick<Model, "operation" | "prices">): string {
  const [input, output] = [inputPriceOf(model), outputPriceOf(model)];
  const prices = [
    input === undefined ? "" : `${formatPrice(input)} in`,
    output === undefined ? "" : `${formatPrice(output)} out`,
    describeUnitPrices(model.prices) ?? "",
  ];
  return prices.filter(Boolean).join(", ");
}
