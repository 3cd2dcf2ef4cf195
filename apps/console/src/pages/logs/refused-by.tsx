// What refused a call: a budget or the rule of a guardrail, whose it is, and where it can be changed.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import type { Answers } from "../../lib/api.ts";
import { BrokenRule } from "./broken-rule.tsx";
import { ReachedBudget } from "./reached-budget.tsx";

type RefusedByProps = Pick<Answers["logs"]["detail"], "budget" | "guardrail">;

export function RefusedBy(props: RefusedByProps): JSX.Element {
  return (
    <>
      <Show when={props.budget}>{(budget) => <ReachedBudget of={budget()} />}</Show>
      <Show when={props.guardrail}>{(guardrail) => <BrokenRule of={guardrail()} />}</Show>
    </>
  );
}
