// What the edited catalogue would change, or its mistakes; what is empty is not shown.
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import type { Answers } from "../../lib/api.ts";
import { counted } from "../../lib/plural.ts";
import { Card } from "../../ui/card.tsx";

type Changes = Answers["operator"]["catalog"]["compare"];

/** Undefined while it is being checked. */
export function ChangesCard(props: { changes: Changes | undefined }): JSX.Element {
  return (
    <Card title="What it changes">
      <Show when={props.changes} fallback={<p class="text-muted">Checking…</p>}>
        {(changes) => (
          <div class="flex flex-col gap-4" aria-live="polite">
            <For each={listsOf(changes())} fallback={<p>Nothing but the text.</p>}>
              {({ title, lines, tone }) => (
                <div>
                  <h3 class={`font-medium ${tone}`}>{title}</h3>
                  <ul class="mt-1 list-disc ps-5 text-sm">
                    <For each={lines}>{(line) => <li class="wrap-anywhere">{line}</li>}</For>
                  </ul>
                </div>
              )}
            </For>
          </div>
        )}
      </Show>
    </Card>
  );
}

function listsOf({ mistakes, ...changes }: Changes) {
  const moved = (rows: readonly { model: string; from: string; to: string }[]) =>
    rows.map(({ model, from, to }) => `${model}: ${from} → ${to}`);
  const mistaken = mistakes.map(({ path, message }) =>
    path === "" ? message : `${path}: ${message}`,
  );
  return [
    list(counted(mistakes.length, "mistake"), mistaken, "text-danger"),
    list("Routes that sell below cost", changes.belowCost, "text-danger"),
    list("Models that are removed", changes.removed, "text-warning"),
    list("Fields that are not known and have no effect", changes.unknownFields, "text-warning"),
    list("Models that are added", changes.added),
    list("Models whose prices change", moved(changes.repriced)),
    list("Models whose routes change", moved(changes.rerouted)),
    list(
      "Models without credentials here",
      changes.hidden.map(({ id, reason }) => `${id}: ${reason}`),
    ),
  ].filter(({ lines }) => lines.length > 0);
}

function list(title: string, lines: readonly string[], tone = "") {
  return { title, lines, tone };
}
