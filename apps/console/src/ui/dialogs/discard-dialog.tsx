// Asks whether input may be lost; `leave` goes on with what would lose it.
import type { JSX } from "solid-js";
import AlertDialog from "./alert-dialog.tsx";

type DiscardDialogProps = { leave: (() => void) | undefined; onAnswer: () => void };

export default function DiscardDialog(props: DiscardDialogProps): JSX.Element {
  return (
    <AlertDialog
      open={props.leave !== undefined}
      onOpenChange={props.onAnswer}
      title="Discard changes?"
      confirmLabel="Discard"
      cancelLabel="Keep editing"
      onConfirm={() => {
        const { leave } = props;
        props.onAnswer();
        leave?.();
      }}
    >
      Your changes will be lost.
    </AlertDialog>
  );
}
