// What was asked and answered in two requests, value by value: loaded only when someone asks to see it.
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { describeFailure } from "../../lib/describe-failure.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { useConfig, useMay } from "../../lib/session.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { compareGroups, type FactGroup } from "./compare-facts.ts";
import { ComparedGroups } from "./compared-groups.tsx";
import { flattenJson, valuesMax } from "./flatten-json.ts";
import { type StoredPrompt, useStoredPrompt } from "./use-log-detail.ts";

type ComparedPromptsProps = { first: string; second: string; onlyDifferences: boolean };

export function ComparedPrompts(props: ComparedPromptsProps): JSX.Element {
  const config = useConfig();
  const mayRead = useMay("prompts.read");
  const [wanted, setWanted] = createSignal(false);
  const first = useStoredPrompt(() => props.first, wanted);
  const second = useStoredPrompt(() => props.second, wanted);
  const queries = [first, second];
  const loading = () => queries.some(({ isFetching }) => isFetching);
  const found = () => queries.some(({ data }) => data !== undefined);
  const failed = () => queries.filter(({ error }) => error !== null && !isNotStored(error));
  const load = () => {
    setWanted(true);
    for (const query of failed()) void query.refetch();
  };
  return (
    <Show when={config.data?.prompts && mayRead()}>
      <section class="mt-6">
        <h3 class="mb-2 text-base font-semibold">Prompts and answers</h3>
        <Missing name="A" error={first.error} />
        <Missing name="B" error={second.error} />
        <Show when={!wanted() || loading() || failed().length > 0}>
          <Button size="small" pending={loading()} pendingLabel="Loading…" onClick={load}>
            {failed().length > 0 ? "Try again" : "Show prompts and answers"}
          </Button>
        </Show>
        <Show when={wanted() && found()}>
          <ComparedGroups
            caption="What was asked and answered, value by value"
            groups={compareGroups(storedOf(first.data), storedOf(second.data))}
            onlyDifferences={props.onlyDifferences}
          />
          <p class="mt-2 text-sm text-muted">
            At most {valuesMax} values of each. Parameters are part of the prompt.
          </p>
        </Show>
      </section>
    </Show>
  );
}

/** Another try would find no more. */
function isNotStored(error: Error): boolean {
  return readFailure(error).code === "not_found";
}

function storedOf(stored: StoredPrompt | undefined): readonly FactGroup[] {
  const { request, answer } = stored ?? {};
  return [
    { title: "Prompt", facts: stored === undefined ? [] : flattenJson(request) },
    { title: "Answer", facts: stored === undefined ? [] : flattenJson(answer) },
  ];
}

function Missing(props: { name: string; error: Error | null }): JSX.Element {
  return (
    <Show when={props.error}>
      {(error) => (
        <p role="alert" class="mb-2 text-sm text-muted">
          {isNotStored(error())
            ? `Nothing is stored of request ${props.name}.`
            : `Request ${props.name}: ${describeFailure(readFailure(error()))}`}
        </p>
      )}
    </Show>
  );
}
