// Asks why the installation is changed and, where callers notice, what they are told.
import type { JSX } from "solid-js";
import { ReasonDialog } from "./reason-dialog.tsx";

type SwitchDialogProps = {
  title: string;
  body: string;
  confirmLabel: string;
  /** Callers can be told something. */
  hasMessage?: boolean;
  run: (texts: { reason: string; message?: string }) => Promise<unknown>;
  onClose: () => void;
  onDone: () => void;
};

export function SwitchDialog(props: SwitchDialogProps): JSX.Element {
  const { title, body, confirmLabel, hasMessage = false, run } = props;
  const message = {
    name: "message",
    label: "What callers read (optional)",
    hint: "Without it they read that it is switched off at the moment.",
  };
  const action = {
    ...{ title, body, confirmLabel },
    reasonHint: "Operators read it in their log.",
    fields: hasMessage ? [message] : [],
    run({ reason, ...values }: Readonly<Record<string, string>> & { reason: string }) {
      const told = values.message?.trim() ?? "";
      return run({ reason, ...(told !== "" && { message: told }) });
    },
  };
  return <ReasonDialog action={action} onClose={props.onClose} onDone={props.onDone} />;
}
