// The dialogs that set and remove the rules of a guardrail.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { api } from "../../../lib/api.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
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

export default function GuardrailDialogs(props: GuardrailDialogsProps): JSX.Element {
  return (
    <>
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
      <ConfirmDialog
        of={props.open === "remove" && props.of}
        onClose={props.onClose}
        title="Remove all rules?"
        confirmLabel="Remove all rules"
        pendingLabel="Removing…"
        change={({ id }) => api.guardrails.remove.mutate({ id })}
        onDone={() => props.onDone("Rules removed")}
      >
        From then on every request is allowed that no other guardrail refuses.
      </ConfirmDialog>
    </>
  );
}
