// The dialogs of budgets: set, change the limit, remove.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { showToast } from "../../ui/toasts.tsx";
import type { Budget } from "../shared/use-budgets.ts";
import { describeLimit } from "./budget-columns.tsx";
import { SetBudgetForm } from "./set-budget-form.tsx";
import { subjectOf } from "./subject-of.ts";

/** Which dialog is open, and for which budget. */
export type BudgetChange =
  /** Of this member, unless another subject is chosen. */
  | { readonly kind: "set"; readonly memberId?: string | undefined }
  | { readonly kind: "change" | "remove"; readonly budget: Budget };

type BudgetDialogsProps = {
  change: BudgetChange | undefined;
  onClose: () => void;
  onChanged: () => void;
};

export default function BudgetDialogs(props: BudgetDialogsProps): JSX.Element {
  const of = (kind: "change" | "remove") =>
    props.change?.kind === kind ? props.change.budget : undefined;
  const nameOf = (budget: Budget | undefined) => (budget ? subjectOf(budget).name : "");
  const done = (text: string) => {
    props.onClose();
    props.onChanged();
    showToast(text);
  };
  return (
    <>
      <Dialog open={props.change?.kind === "set"} onOpenChange={props.onClose} title="Set budget">
        <SetBudgetForm
          memberId={props.change?.kind === "set" ? props.change.memberId : undefined}
          onCancel={props.onClose}
          onSet={(name) => done(`The budget of ${name} is set`)}
        />
      </Dialog>
      <Dialog
        open={of("change") !== undefined}
        onOpenChange={props.onClose}
        title={`Change the budget of ${nameOf(of("change"))}`}
      >
        <Show when={of("change")} keyed>
          {(budget) => (
            <SetBudgetForm
              of={budget}
              onCancel={props.onClose}
              onSet={(name) => done(`The budget of ${name} is set`)}
            />
          )}
        </Show>
      </Dialog>
      <ConfirmDialog
        of={of("remove")}
        onClose={props.onClose}
        title={`Remove the budget of ${nameOf(of("remove"))}?`}
        confirmLabel="Remove budget"
        pendingLabel="Removing…"
        change={({ id }) => api.budgets.remove.mutate({ id })}
        onDone={props.onChanged}
        toast={(_, budget) => `The budget of ${nameOf(budget)} is removed`}
      >
        <Show when={of("remove")}>
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
