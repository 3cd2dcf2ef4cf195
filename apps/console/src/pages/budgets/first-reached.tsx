// Which of the budgets is reached first, in one sentence.
import type { JSX } from "solid-js";
import { createMemo, Show } from "solid-js";
import type { Budget } from "../../product/limits/use-budgets.ts";
import { Time } from "../../ui/figures/figures.tsx";
import { useNow } from "../../ui/figures/use-now.ts";
import { Banner } from "../../ui/notices/banner.tsx";
import { describeLimit } from "./budget-columns.tsx";
import { nextReached } from "./order-by-use.ts";
import { subjectOf } from "./subject-of.ts";

export function FirstReached(props: { budgets: readonly Budget[] }): JSX.Element {
  const now = useNow();
  const first = createMemo(() => nextReached(props.budgets, now()));
  return (
    <Show when={first()}>
      {(next) => (
        <Banner tone={next().budget.hard ? "warning" : "info"}>
          <Sentence of={next().budget} at={next().at} />
        </Banner>
      )}
    </Show>
  );
}

function Sentence(props: { of: Budget; at: Date | null }): JSX.Element {
  const name = () => `The budget of ${subjectOf(props.of).name} (${describeLimit(props.of)})`;
  const effect = () =>
    props.of.hard ? "Requests beyond it are refused." : "Requests beyond it still pass.";
  return (
    <Show when={props.at} fallback={`${name()} is reached. ${effect()}`}>
      {(at) => (
        <>
          {name()} is reached first, <Time at={at().toISOString()} /> at the pace of its period.{" "}
          {effect()}
        </>
      )}
    </Show>
  );
}
