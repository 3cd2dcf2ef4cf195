// Shows the facts that a verb answered.
import type { ComponentProps, JSX } from "solid-js";
import { Button, DialogActions } from "../../ui/buttons/button.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { Facts } from "./facts.tsx";

type AnswerDialogProps = {
  title: string;
  facts: ComponentProps<typeof Facts>["of"];
  onClose: () => void;
};

export default function AnswerDialog(props: AnswerDialogProps): JSX.Element {
  return (
    <Dialog open onOpenChange={() => props.onClose()} title={props.title} description="It is done.">
      <Facts of={props.facts} />
      <DialogActions>
        <Button onClick={() => props.onClose()}>Close</Button>
      </DialogActions>
    </Dialog>
  );
}
