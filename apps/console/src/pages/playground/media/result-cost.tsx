// Under a result: what it cost, and the way to its log.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { Money } from "../../../ui/figures/figures.tsx";

type ResultCostProps = {
  /** Undefined if it is not known here. */
  costUsd: string | undefined;
  /** While it is looked up. */
  isAsked?: boolean;
  generationId: string | undefined;
};

export function ResultCost(props: ResultCostProps): JSX.Element {
  const unknown = () =>
    props.isAsked ? "Checking what was charged…" : "Logs show what was charged.";
  return (
    <span class="inline-flex flex-wrap gap-x-3">
      <Show when={props.costUsd} fallback={unknown()}>
        {(usd) => (
          <span data-cost={usd()}>
            Cost: <Money usd={usd()} />
          </span>
        )}
      </Show>
      <Show when={props.generationId}>
        {(id) => (
          <A href={`/logs?id=${id()}`} class="link">
            View log
          </A>
        )}
      </Show>
    </span>
  );
}
