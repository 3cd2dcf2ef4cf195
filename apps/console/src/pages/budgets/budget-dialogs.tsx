// The dialogs of budgets: set, change the limit, remove.
import { useMutation } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { describeFailure } from "../../lib/describe-failure.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { AlertDialog } from "../../ui/alert-dialog.tsx";
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

export function BudgetDialogs(props: BudgetDialogsProps): JSX.Element {
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
      <RemoveBudget
        of={of("remove")}
        onClose={props.onClose}
        onDone={(name) => done(`The budget of ${name} is removed`)}
      />
    </>
  );
}

type RemoveBudgetProps = {
  of: Budget | undefined;
  onClose: () => void;
  onDone: (name: string) => void;
};

function RemoveBudget(props: RemoveBudgetProps): JSX.Element {
  const name = () => (props.of ? subjectOf(props.of).name : "");
  const limit = () => (props.of ? describeLimit(props.of) : "");
  const remove = useMutation(() => ({
    mutationFn: (id: string) => api.budgets.remove.mutate({ id }),
    onSuccess: () => props.onDone(name()),
  }));
  return (
    <AlertDialog
      open={props.of !== undefined}
      onOpenChange={props.onClose}
      title={`Remove the budget of ${name()}?`}
      confirmLabel="Remove budget"
      pendingLabel="Removing…"
      pending={remove.isPending}
      destructive
      changes
      error={remove.isError ? describeFailure(readFailure(remove.error)) : undefined}
      onConfirm={() => props.of && remove.mutate(props.of.id)}
    >
      <p>Spending is then no longer limited to {limit()}. What was spent is kept.</p>
    </AlertDialog>
  );
}
