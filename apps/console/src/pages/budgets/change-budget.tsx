// Changes of budgets: one is set, its limit is changed, or it is removed.
import { lazy } from "solid-js";
import { api } from "../../lib/api.ts";
import { loadOnce } from "../../lib/load-once.ts";
import type { Budget } from "../../product/limits/use-budgets.ts";
import { askQuestion, openDialog } from "../../ui/dialogs/open-dialog.tsx";
import { describeLimit } from "./budget-columns.tsx";
import { subjectOf } from "./subject-of.ts";

const SetBudget = lazy(loadOnce(() => import("./set-budget.tsx")));

/** A new one is of this member, unless another subject is chosen. */
export function setBudget(of?: { budget?: Budget; memberId?: string | undefined }): void {
  openDialog((close) => <SetBudget of={of?.budget} memberId={of?.memberId} onClose={close} />);
}

export function removeBudget(budget: Budget): void {
  const { name } = subjectOf(budget);
  askQuestion({
    title: `Remove the budget of ${name}?`,
    text: `Spending is then no longer limited to ${describeLimit(budget)}. What was spent is kept.`,
    confirmLabel: "Remove budget",
    pendingLabel: "Removing…",
    run: () => api.budgets.remove.mutate({ id: budget.id }),
    // A budget of a key is its limit.
    refreshes: [["budgets"], ["keys"]],
    toast: `The budget of ${name} is removed`,
  });
}
