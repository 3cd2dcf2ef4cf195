// Shown at the bottom of the list while models are selected: leads to the page that compares them.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { counted } from "../../lib/plural.ts";
import { Button, ButtonLink } from "../../ui/buttons/button.tsx";
import { comparedMax, comparisonPath } from "./compared-ids.ts";
import type { Model, ModelView } from "./model-query.ts";

export function CompareBar(props: { models: readonly Model[]; view: ModelView }): JSX.Element {
  const count = () => props.models.length;
  return (
    <Show when={count() > 0}>
      <div class="sticky bottom-20 z-20 mx-auto mt-4 flex w-fit flex-wrap items-center justify-center gap-3 rounded-card border border-border bg-raised px-4 py-2.5 shadow-popover sm:bottom-4">
        <span role="status" class="text-sm">
          {counted(count(), "model")} selected
          <Show when={count() >= comparedMax}>
            <span class="text-muted"> · Compare up to {comparedMax} at a time</span>
          </Show>
        </span>
        <Button
          size="small"
          variant="ghost"
          onClick={() => props.view.set({ compare: [] }, { replace: true })}
        >
          Clear
        </Button>
        <Show
          when={count() > 1}
          fallback={<span class="text-sm text-muted">Select another to compare.</span>}
        >
          <ButtonLink
            size="small"
            variant="primary"
            href={comparisonPath(props.models.map(({ id }) => id))}
          >
            Compare side by side
          </ButtonLink>
        </Show>
      </div>
    </Show>
  );
}
