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
import { t } from "./texts.ts";

/** Which dialog is open, and for which budget. */
export type BudgetChange =
  | { readonly kind: "set" }
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
      <Dialog
        open={props.change?.kind === "set"}
        onOpenChange={props.onClose}
        title={t("set.title")}
      >
        <SetBudgetForm onCancel={props.onClose} onSet={(name) => done(t("set.done", { name }))} />
      </Dialog>
      <Dialog
        open={of("change") !== undefined}
        onOpenChange={props.onClose}
        title={t("set.changeTitle", { name: nameOf(of("change")) })}
      >
        <Show when={of("change")} keyed>
          {(budget) => (
            <SetBudgetForm
              of={budget}
              onCancel={props.onClose}
              onSet={(name) => done(t("set.done", { name }))}
            />
          )}
        </Show>
      </Dialog>
      <RemoveBudget
        of={of("remove")}
        onClose={props.onClose}
        onDone={(name) => done(t("remove.done", { name }))}
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
      title={t("remove.title", { name: name() })}
      confirmLabel={t("remove.confirm")}
      pendingLabel={t("remove.pending")}
      pending={remove.isPending}
      destructive
      changes
      error={remove.isError ? describeFailure(readFailure(remove.error)) : undefined}
      onConfirm={() => props.of && remove.mutate(props.of.id)}
    >
      <p>{t("remove.body", { limit: limit() })}</p>
    </AlertDialog>
  );
}
