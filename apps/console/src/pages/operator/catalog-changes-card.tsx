// What the edited catalogue would change, or its mistakes; what is empty is not shown.
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import type { Answers } from "../../lib/api.ts";
import { Card } from "../../ui/card.tsx";
import { t } from "./catalog-texts.ts";

type Changes = Answers["operator"]["catalog"]["compare"];

/** Undefined while it is being checked. */
export function ChangesCard(props: { changes: Changes | undefined }): JSX.Element {
  return (
    <Card title={t("changes.title")}>
      <Show when={props.changes} fallback={<p class="text-muted">{t("changes.checking")}</p>}>
        {(changes) => (
          <div class="flex flex-col gap-4" aria-live="polite">
            <For each={listsOf(changes())} fallback={<p>{t("changes.none")}</p>}>
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
    list(t("changes.mistakes", { count: mistakes.length }), mistaken, "text-danger"),
    list(t("changes.belowCost"), changes.belowCost, "text-danger"),
    list(t("changes.removed"), changes.removed, "text-warning"),
    list(t("changes.unknownFields"), changes.unknownFields, "text-warning"),
    list(t("changes.added"), changes.added),
    list(t("changes.repriced"), moved(changes.repriced)),
    list(t("changes.rerouted"), moved(changes.rerouted)),
    list(
      t("changes.hidden"),
      changes.hidden.map(({ id, reason }) => `${id}: ${reason}`),
    ),
  ].filter(({ lines }) => lines.length > 0);
}

function list(title: string, lines: readonly string[], tone = "") {
  return { title, lines, tone };
}
