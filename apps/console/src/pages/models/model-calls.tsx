// How to call one model: at each API that serves it, in several languages.
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import type { Answers } from "../../lib/api.ts";
import { useConfig } from "../../lib/session.ts";
import { operationSnippets } from "../../product/connect/operation-snippets.ts";
import { CodeSnippet } from "../../ui/code/code-snippet.tsx";
import { SelectControl } from "../../ui/forms/choices.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";
import { apiSnippets, type ModelApi, modelApis } from "./api-snippets.ts";

type Detail = Answers["models"]["detail"];

export function ModelCalls(props: { model: Detail }): JSX.Element {
  const config = useConfig();
  const [modelApi, setModelApi] = createSignal<ModelApi>("chat");
  const isChat = () => props.model.operation === "chat";
  const snippets = (baseUrl: string) => {
    const { id: model, operation } = props.model;
    return isChat()
      ? apiSnippets({ baseUrl, model }, modelApi())
      : operationSnippets({ baseUrl, model }, operation);
  };
  return (
    <Card
      title="First request"
      actions={
        <Show when={isChat()}>
          <SelectControl
            label="API"
            small
            value={modelApi()}
            onChange={setModelApi}
            choices={modelApis.map(({ id, label }) => ({ value: id, label }))}
          />
        </Show>
      }
    >
      <Show
        when={config.data?.apiBaseUrl}
        fallback={<Skeleton class="h-[13.75rem] rounded-card!" />}
      >
        {(baseUrl) => <CodeSnippet snippets={snippets(baseUrl())} />}
      </Show>
    </Card>
  );
}
