// Which budget refused a call: whose it is, what is left of it by now, and where it can be changed.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { Match, Switch } from "solid-js";
import type { Answers } from "../../lib/api.ts";
import { formatAmount, formatSum } from "../../lib/format.ts";
import { useMay } from "../../lib/session.ts";
import { Time } from "../../ui/figures.tsx";
import { useBudgets } from "../shared/use-budgets.ts";

type Reached = NonNullable<Answers["logs"]["detail"]["budget"]>;

export function ReachedBudget(props: { of: Reached }): JSX.Element {
  const query = useBudgets();
  const mayChange = useMay("budgets.change");
  const budget = () =>
    query.data?.budgets.find(
      ({ kind, subjectId, period }) =>
        kind === props.of.kind && subjectId === props.of.subjectId && period === props.of.period,
    );
  return (
    <Switch>
      <Match when={budget()}>
        {(found) => (
          <p class="mt-2">
            {
              {
                account: "It is the budget of the account:",
                project: `It is the budget of the project ${found().subjectName}:`,
                member: `It is the budget of ${found().subjectName}:`,
              }[props.of.kind]
            }{" "}
            {
              {
                account: "It is the budget of the account:",
                day: `${formatSum(found().spentUsd)} of ${formatAmount(found().limitUsd)} are spent today.`,
                week: `${formatSum(found().spentUsd)} of ${formatAmount(found().limitUsd)} are spent this week.`,
                month: `${formatSum(found().spentUsd)} of ${formatAmount(found().limitUsd)} are spent this month.`,
                total: `${formatSum(found().spentUsd)} of ${formatAmount(found().limitUsd)} are spent.`,
              }[props.of.period]
            }{" "}
            {found().resetsAt === null ? (
              "It never resets."
            ) : (
              <>
                It resets <Time at={found().resetsAt} />.
              </>
            )}{" "}
            <A href={`/budgets?id=${found().id}`} class="link">
              {mayChange() ? "Raise the budget" : "View the budget"}
            </A>
          </p>
        )}
      </Match>
      <Match when={query.isSuccess}>
        <p class="mt-2">
          That budget was removed since, or is another member's.{" "}
          <A href="/budgets" class="link">
            View budgets
          </A>
        </p>
      </Match>
    </Switch>
  );
}
