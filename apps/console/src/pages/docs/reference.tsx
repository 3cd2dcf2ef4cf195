// Every endpoint of `/openapi.json` with its parameters, and a request that runs with the reader's own key. The key
// stays in this page's memory.

import { useLocation } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createEffect, createMemo, createSignal, For, on, Show } from "solid-js";
import { useQuery } from "../../lib/use-query.ts";
import { PasswordField } from "../../ui/forms/text-field.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
import type { DocFacts } from "./doc-facts.ts";
import { fetchOpenApi, type Operation } from "./open-api.ts";
import { OperationView } from "./operation-view.tsx";

export default function Reference(props: { facts: DocFacts }): JSX.Element {
  const operations = useQuery(() => ({
    queryKey: ["docs", "openapi"],
    queryFn: ({ signal }) => fetchOpenApi(signal),
    staleTime: Number.POSITIVE_INFINITY,
  }));
  const [key, setKey] = createSignal("");
  return (
    <div class="mt-6 flex flex-col gap-6">
      <PasswordField
        label="Your key"
        hint="For the requests on this page. It is not stored."
        value={key()}
        onInput={setKey}
        autocomplete="off"
        spellcheck={false}
        mono
      />
      <Loaded query={operations} what="the API reference">
        {(all) => <Groups operations={all()} facts={props.facts} apiKey={key()} />}
      </Loaded>
    </div>
  );
}

type GroupsProps = { operations: readonly Operation[]; facts: DocFacts; apiKey: string };

function Groups(props: GroupsProps): JSX.Element {
  const location = useLocation();
  const groups = createMemo(() => [...Map.groupBy(props.operations, ({ tag }) => tag)]);
  const wanted = () => location.hash.slice(1);
  createEffect(
    on(wanted, (id) => {
      const place = document.getElementById(id);
      if (place instanceof HTMLDetailsElement) place.open = true;
      place?.scrollIntoView();
    }),
  );
  return (
    <For each={groups()}>
      {([tag, operations]) => (
        <section class="flex flex-col gap-2">
          <h2 class="text-xl font-semibold">{tag}</h2>
          <For each={operations}>
            {(operation) => <OperationItem {...props} operation={operation} />}
          </For>
        </section>
      )}
    </For>
  );
}

/** Its content is drawn when it is opened: there are many. */
function OperationItem(props: GroupsProps & { operation: Operation }): JSX.Element {
  const [opened, setOpened] = createSignal(false);
  return (
    <details
      id={props.operation.id}
      class="scroll-mt-20 rounded-card border border-border"
      onToggle={(event) => event.currentTarget.open && setOpened(true)}
    >
      <summary class="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-4 py-2.5">
        <span translate="no" class="w-14 font-mono text-xs font-medium text-muted">
          {props.operation.method}
        </span>
        <code translate="no" class="font-mono text-sm wrap-anywhere">
          {props.operation.path}
        </code>
        <span class="text-sm text-muted">{props.operation.summary}</span>
      </summary>
      <Show when={opened()}>
        <div class="border-t border-border p-4">
          <OperationView {...props} />
        </div>
      </Show>
    </details>
  );
}
