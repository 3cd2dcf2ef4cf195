// Chooses a tool and shows what to paste into it: with the key itself only while that is shown.
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { createStore } from "solid-js/store";
import type { Answers } from "../../lib/api.ts";
import { modelsFor, type Operation, useModels } from "../../lib/queries.ts";
import { useConfig, useProductName } from "../../lib/session.ts";
import { readStored, writeStored } from "../../lib/stored-text.ts";
import { CodeSnippet } from "../../ui/code/code-snippet.tsx";
import { Select } from "../../ui/forms/choices.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";
import { FirstCallSnippet } from "./first-call-snippet.tsx";
import { operationSetups } from "./operation-setups.ts";
import { toolSetups } from "./tool-setups.ts";

const storageKey = "connected-tool";

export function ToolSetupChooser(props: { apiKey?: string | undefined }): JSX.Element {
  const config = useConfig();
  const models = useModels();
  const product = useProductName();
  const [tool, setTool] = createSignal(readStored(storageKey) ?? "code");
  const [wanted, setWanted] = createStore<Partial<Record<Operation, string>>>({});
  const modelFor = (operation: Operation) => {
    const all = modelsFor(operation, models.data);
    const usual = all.find(({ capabilities }) => capabilities.includes("tools")) ?? all[0];
    return wanted[operation] ?? usual?.id;
  };
  const setups = () => {
    const { data } = config;
    if (data === undefined || models.isPending) return undefined;
    const common = { baseUrl: data.apiBaseUrl, apiKey: props.apiKey };
    const voice = voiceOf(models.data, modelFor("speech"));
    return [
      ...toolSetups({ ...common, model: modelFor("chat") ?? "", product: product() }),
      ...operationSetups({ ...common, modelFor, voice }),
    ];
  };
  const chosen = () => setups()?.find(({ id }) => id === tool());
  const operation = () => chosen()?.operation ?? "chat";
  const model = () => modelFor(operation()) ?? "";
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
              <div class="grid gap-3 sm:grid-cols-2">
                <Select
                  label="Use it in"
                  value={tool()}
                  onChange={choose}
                  choices={[
                    { value: "code", label: "curl, Python, Node" },
                    ...all().map(({ id, name }) => ({ value: id, label: name })),
                  ]}
                />
                <Select
                  label="Model"
                  value={model()}
                  onChange={(id) => setWanted(operation(), id)}
                  choices={modelsFor(operation(), models.data).map(({ id, name }) => ({
                    value: id,
                    label: name,
                  }))}
                />
              </div>
              <Show
                when={chosen()}
                fallback={
                  <FirstCallSnippet label="Language" apiKey={props.apiKey} model={model()} />
                }
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

/** The first that the model has; most have this one where the catalog names none. */
function voiceOf(models: Answers["models"]["list"] | undefined, id: string | undefined): string {
  const media = models?.find((model) => model.id === id)?.media;
  return (media?.kind === "speech" ? media.voices[0] : undefined) ?? "alloy";
}
