// Shows new recovery codes, once.
import type { JSX } from "solid-js";
import { For } from "solid-js";
import { downloadFile } from "../../lib/download-file.ts";
import { useProductName } from "../../lib/session.ts";
import { Button, DialogActions } from "../../ui/buttons/button.tsx";
import { CopyButton } from "../../ui/buttons/copy-button.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";

type CodesProps = { codes: readonly string[]; onClose: () => void };

export default function RecoveryCodesDialog(props: CodesProps): JSX.Element {
  const productName = useProductName();
  const text = () => `${props.codes.join("\n")}\n`;
  const file = () => `${productName().toLowerCase()}-recovery-codes.txt`;
  return (
    <Dialog
      open
      onOpenChange={props.onClose}
      title="Save your recovery codes"
      description="Each signs in once if you lose your second factor. They are shown only now: print them, or keep them where you keep passwords."
    >
      <ul
        translate="no"
        aria-label="Recovery codes"
        class="grid gap-x-6 gap-y-2 rounded-card bg-surface p-4 font-mono sm:grid-cols-2"
      >
        <For each={props.codes}>{(code) => <li>{code}</li>}</For>
      </ul>
      <DialogActions>
        <CopyButton text={text()} label="Copy codes" size="medium" />
        <Button onClick={() => downloadFile(file(), text(), "text/plain")}>Download</Button>
        <Button variant="primary" onClick={props.onClose}>
          I saved them
        </Button>
      </DialogActions>
    </Dialog>
  );
}
