// Which budget refused a call: whose it is, what is left of it by now, and where it can be changed.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { Match, Switch } from "solid-js";
import type { Answers } from "../../lib/api.ts";
import { formatAmount, formatSum } from "../../lib/format.ts";
import { useMay } from "../../lib/session.ts";
import { Time } from "../../ui/figures.tsx";
import { useBudgets } from "../shared/use-budgets.ts";
import { t } from "./budget-texts.ts";

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
            {t(`budget.${props.of.kind}`, { name: found().subjectName })}{" "}
            {t(`budget.${props.of.period}`, {
              spent: formatSum(found().spentUsd),
              limit: formatAmount(found().limitUsd),
            })}{" "}
            {found().resetsAt === null ? (
              t("budget.never")
            ) : (
              <>
                {t("budget.resets")} <Time at={found().resetsAt} />.
              </>
            )}{" "}
            <A href={`/budgets?id=${found().id}`} class="link">
              {t(mayChange() ? "budget.raise" : "budget.view")}
            </A>
          </p>
        )}
      </Match>
      <Match when={query.isSuccess}>
        <p class="mt-2">
          {t("budget.gone")}{" "}
          <A href="/budgets" class="link">
            {t("budget.all")}
          </A>
        </p>
      </Match>
    </Switch>
  );
}
