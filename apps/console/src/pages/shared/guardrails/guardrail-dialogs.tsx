// The dialogs that set and remove the rules of a guardrail.
import { useMutation } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { api } from "../../../lib/api.ts";
import { describeFailure } from "../../../lib/describe-failure.ts";
import { readFailure } from "../../../lib/read-failure.ts";
import { AlertDialog } from "../../../ui/alert-dialog.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import type { Guardrail } from "./describe-rules.ts";
import { GuardrailForm } from "./guardrail-form.tsx";

/** Which dialog is open. */
export type GuardrailChange = "set" | "remove";

type GuardrailDialogsProps = {
  open: GuardrailChange | undefined;
  kind: Guardrail["kind"];
  subjectId: string;
  /** Undefined without rules. */
  of: Guardrail | undefined;
  onClose: () => void;
  onDone: (text: string) => Promise<void>;
};

export function GuardrailDialogs(props: GuardrailDialogsProps): JSX.Element {
  return (
    <>
      <Dialog open={props.open === "set"} onOpenChange={props.onClose} title="Rules">
        <Show when={props.open === "set"}>
          <GuardrailForm
            of={props.of}
            onClose={props.onClose}
            onSubmit={async (rules) => {
              const { kind, subjectId } = props;
              await api.guardrails.set.mutate({ kind, subjectId, rules });
              await props.onDone("Rules saved");
            }}
          />
        </Show>
      </Dialog>
      <RemoveDialog
        of={props.open === "remove" ? props.of : undefined}
        onClose={props.onClose}
        onDone={() => props.onDone("Rules removed")}
      />
    </>
  );
}

type RemoveDialogProps = {
  of: Guardrail | undefined;
  onClose: () => void;
  onDone: () => Promise<void>;
};

function RemoveDialog(props: RemoveDialogProps): JSX.Element {
  const remove = useMutation(() => ({
    mutationFn: (id: string) => api.guardrails.remove.mutate({ id }),
    onSuccess: () => props.onDone(),
  }));
  return (
    <AlertDialog
      open={props.of !== undefined}
      onOpenChange={props.onClose}
      title="Remove all rules?"
      confirmLabel="Remove all rules"
      pendingLabel="Removing…"
      pending={remove.isPending}
      destructive
      changes
      error={remove.isError ? describeFailure(readFailure(remove.error)) : undefined}
      onConfirm={() => props.of && remove.mutate(props.of.id)}
    >
      From then on every call is allowed that no other guardrail refuses.
    </AlertDialog>
  );
}
