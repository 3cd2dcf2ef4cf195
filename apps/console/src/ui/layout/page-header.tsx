// The first row of a page: a muted sentence at the start, the main action at the end; on phones the
// action takes the full width.
import type { JSX } from "solid-js";
import { Show } from "solid-js";

type PageHeaderProps = {
  description?: JSX.Element;
  /** The primary button comes last. */
  actions?: JSX.Element;
};

export function PageHeader(props: PageHeaderProps): JSX.Element {
  return (
    <div class="mb-5 flex flex-col gap-3 sm:flex-row sm:items-center sm:justify-between sm:gap-6">
      <div class="max-w-2xl text-muted">{props.description}</div>
      <Show when={props.actions}>
        <div class="flex shrink-0 flex-col gap-2 sm:flex-row sm:items-center">{props.actions}</div>
      </Show>
    </div>
  );
}
