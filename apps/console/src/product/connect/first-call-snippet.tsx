// The first call for this instance: with its base URL and one of its models, and the key itself only if
// it is shown once.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { chatModelsOf, useModels } from "../../lib/queries.ts";
import { useConfig } from "../../lib/session.ts";
import { CodeSnippet } from "../../ui/code/code-snippet.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";
import { firstCallSnippets } from "./snippets.ts";

type FirstCallSnippetProps = {
  label: string;
  apiKey?: string | undefined;
  /** The first one unless given. */
  model?: string | undefined;
};

export function FirstCallSnippet(props: FirstCallSnippetProps): JSX.Element {
  const config = useConfig();
  const models = useModels();
  const facts = () => {
    if (config.data === undefined || models.isPending) return undefined;
    const model = props.model ?? chatModelsOf(models.data)[0]?.id ?? "";
    return { baseUrl: config.data.apiBaseUrl, model, apiKey: props.apiKey };
  };
  return (
    <Show when={facts()} fallback={<Skeleton class="h-52 rounded-card!" />}>
      {(known) => <CodeSnippet snippets={firstCallSnippets(known())} label={props.label} />}
    </Show>
  );
}
