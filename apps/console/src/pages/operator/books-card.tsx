// What the last check of the books found.
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { Card } from "../../ui/card.tsx";
import { Time } from "../../ui/figures.tsx";
import { Loaded } from "../../ui/loaded.tsx";

export function BooksCard(): JSX.Element {
  const query = useAnswer(["operator", "books"], (call) =>
    api.operator.money.books.query({}, call),
  );
  return (
    <Card title="Books">
      <Loaded query={query} what="the state of the books">
        {(state) => (
          <Show when={state().checkedAt} fallback={state().error ?? "Not checked yet."}>
            {(at) => (
              <>
                <p>
                  {state().violations.length > 0
                    ? "The last check found mistakes:"
                    : "Clean at the last check,"}{" "}
                  <Time at={at()} />
                </p>
                <ul class="mt-2 list-disc ps-5">
                  <For each={state().violations}>
                    {({ check, rows }) => (
                      <li>
                        {check}: {rows}
                      </li>
                    )}
                  </For>
                </ul>
              </>
            )}
          </Show>
        )}
      </Loaded>
    </Card>
  );
}
