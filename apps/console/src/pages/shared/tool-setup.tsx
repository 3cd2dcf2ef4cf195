// Chooses a tool and shows what to paste into it: with the key itself only while that is shown.
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { chatModelsOf, useModels } from "../../lib/queries.ts";
import { useConfig, useProductName } from "../../lib/session.ts";
import { readStored, writeStored } from "../../lib/stored-text.ts";
import { Select } from "../../ui/choices.tsx";
import { CodeSnippet } from "../../ui/code-snippet.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { FirstCallSnippet } from "./first-call-snippet.tsx";
import { toolSetups } from "./tool-setups.ts";

const storageKey = "connected-tool";

export function ToolSetupChooser(props: { apiKey?: string | undefined }): JSX.Element {
  const config = useConfig();
  const models = useModels();
  const product = useProductName();
  const [tool, setTool] = createSignal(readStored(storageKey) ?? "code");
  const setups = () => {
    const { data } = config;
    if (data === undefined || models.isPending) return undefined;
    const chat = chatModelsOf(models.data);
    const model = chat.find(({ capabilities }) => capabilities.includes("tools")) ?? chat[0];
    return toolSetups({
      baseUrl: data.apiBaseUrl,
      model: model?.id ?? "",
      product: product(),
      apiKey: props.apiKey,
    });
  };
  const choose = (id: string) => {
    setTool(id);
    writeStored(storageKey, id);
  };
  return (
    <Loaded query={models} what="the models" skeleton={<Skeleton class="h-64 rounded-card!" />}>
      {() => (
        <Show when={setups()} fallback={<Skeleton class="h-64 rounded-card!" />}>
          {(all) => (
            <div class="flex min-w-0 flex-col gap-3">
              <Select
                label="Use it in"
                value={tool()}
                onChange={choose}
                choices={[
                  { value: "code", label: "curl, Python, Node" },
                  ...all().map(({ id, name }) => ({ value: id, label: name })),
                ]}
              />
              <Show
                when={all().find(({ id }) => id === tool())}
                fallback={<FirstCallSnippet label="Language" apiKey={props.apiKey} />}
              >
                {(setup) => (
                  <>
                    <p class="text-sm text-muted">{setup().step}</p>
                    <CodeSnippet snippets={[{ ...setup().snippet, id: setup().id }]} />
                  </>
                )}
              </Show>
            </div>
          )}
        </Show>
      )}
    </Loaded>
  );
}
