// The dialogs of budgets: set one or change its limit, and remove it.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { showToast } from "../../ui/toasts.tsx";
import type { Budget } from "../shared/use-budgets.ts";
import { describeLimit } from "./budget-columns.tsx";
import { SetBudget } from "./set-budget.tsx";
import { subjectOf } from "./subject-of.ts";

/** Which dialog is open, and for which budget. */
export type BudgetChange =
  /** A new one is of this member, unless another subject is chosen. */
  | { readonly kind: "set"; readonly memberId?: string | undefined; readonly budget?: Budget }
  | { readonly kind: "remove"; readonly budget: Budget };

type BudgetDialogsProps = {
  change: BudgetChange | undefined;
  onClose: () => void;
  onChanged: () => void;
};

export default function BudgetDialogs(props: BudgetDialogsProps): JSX.Element {
  const set = () => (props.change?.kind === "set" ? props.change : undefined);
  const removed = () => (props.change?.kind === "remove" ? props.change.budget : undefined);
  const nameOf = (budget: Budget | undefined) => (budget ? subjectOf(budget).name : "");
  const done = (name: string) => {
    props.onClose();
    props.onChanged();
    showToast(`The budget of ${name} is set`);
  };
  return (
    <>
      <Show when={set()} keyed>
        {({ budget, memberId }) => (
          <SetBudget of={budget} memberId={memberId} onClose={props.onClose} onSet={done} />
        )}
      </Show>
      <ConfirmDialog
        of={removed()}
        onClose={props.onClose}
        title={`Remove the budget of ${nameOf(removed())}?`}
        confirmLabel="Remove budget"
        pendingLabel="Removing…"
        change={({ id }) => api.budgets.remove.mutate({ id })}
        onDone={props.onChanged}
        toast={(_, budget) => `The budget of ${nameOf(budget)} is removed`}
      >
        <Show when={removed()}>
          {(budget) => (
            <p>
              Spending is then no longer limited to {describeLimit(budget())}. What was spent is
              kept.
            </p>
          )}
        </Show>
      </ConfirmDialog>
    </>
  );
}
