// Asks for the reason of an action and what else it takes, then does it. Every action of the desk has a reason.
import { reasonCharsMax } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { Select } from "../../ui/choices.tsx";
import { createForm } from "../../ui/create-form.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { showToast } from "../../ui/toasts.tsx";

export type ActionField = {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly initial?: string;
  /** Instead of free text. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
};

/** An action, as its dialog asks for it. */
export type AskedAction = {
  readonly title: string;
  readonly body: string;
  readonly confirmLabel: string;
  readonly fields?: readonly ActionField[];
  /** Where the account does not read the reason. */
  readonly reasonHint?: string;
  /** Red where it is listed. */
  readonly destroys?: boolean;
  readonly run: (values: Readonly<Record<string, string>> & { reason: string }) => Promise<unknown>;
};

type ReasonDialogProps = { action: AskedAction; onClose: () => void; onDone: () => void };

export default function ReasonDialog(props: ReasonDialogProps): JSX.Element {
  const { title, body, confirmLabel, fields = [], reasonHint, run } = props.action;
  const form = createForm<Record<string, string>>({
    initial: {
      ...Object.fromEntries(fields.map(({ name, initial = "" }) => [name, initial])),
      reason: "",
    },
    validate: ({ reason = "" }) => ({
      reason: reason.trim() === "" ? "Give a reason." : undefined,
    }),
    async submit({ reason = "", ...values }) {
      await run({ ...values, reason: reason.trim() });
      props.onClose();
      props.onDone();
      showToast("Done.");
    },
  });
  return (
    <FormDialog
      form={form}
      title={title}
      description={body}
      label={confirmLabel}
      pendingLabel="Working…"
      onClose={props.onClose}
    >
      <For each={fields}>
        {({ name, label, hint, choices }) => (
          <Show
            when={choices}
            fallback={
              <TextField {...form.field(name)} label={label} hint={hint} autocomplete="off" />
            }
          >
            {(list) => (
              <Select
                label={label}
                hint={hint}
                value={form.field(name).value}
                choices={list()}
                onChange={form.field(name).onInput}
              />
            )}
          </Show>
        )}
      </For>
      <TextField
        {...form.field("reason")}
        label="Reason"
        hint={reasonHint ?? "The account reads it in its audit log."}
        maxlength={reasonCharsMax}
        autocomplete="off"
      />
    </FormDialog>
  );
}
