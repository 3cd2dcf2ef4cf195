// Shows the secret of an endpoint. It can be shown again, so closing it loses nothing.
import type { JSX } from "solid-js";
import { Button, DialogActions } from "../../../ui/buttons/button.tsx";
import { CopyButton } from "../../../ui/buttons/copy-button.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { TextArea } from "../../../ui/forms/text-field.tsx";

export default function SecretDialog(props: { secret: string; onClose: () => void }): JSX.Element {
  return (
    <Dialog
      open
      onOpenChange={() => props.onClose()}
      title="Signing secret"
      description="Your endpoint verifies the signature of every message with it. Keep it like a password."
    >
      <TextArea
        label="Secret"
        value={props.secret}
        onInput={() => undefined}
        readonly
        mono
        rows={2}
        spellcheck={false}
      />
      <DialogActions>
        <Button onClick={() => props.onClose()}>Done</Button>
        <CopyButton text={props.secret} label="Copy secret" variant="primary" size="medium" />
      </DialogActions>
    </Dialog>
  );
}
