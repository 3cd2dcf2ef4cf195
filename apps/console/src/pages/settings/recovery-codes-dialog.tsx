// Shows new recovery codes, once.
import type { JSX } from "solid-js";
import { For } from "solid-js";
import { downloadFile } from "../../lib/download-file.ts";
import { useProductName } from "../../lib/session.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { t } from "./factor-texts.ts";

type CodesProps = { codes: readonly string[]; onClose: () => void };

export default function RecoveryCodesDialog(props: CodesProps): JSX.Element {
  const productName = useProductName();
  const text = () => `${props.codes.join("\n")}\n`;
  const file = () => t("codes.file", { product: productName().toLowerCase() });
  return (
    <Dialog
      open
      onOpenChange={props.onClose}
      title={t("codes.shown")}
      description={t("codes.once")}
    >
      <ul
        aria-label={t("codes.list")}
        class="grid gap-x-6 gap-y-2 rounded-card bg-surface p-4 font-mono sm:grid-cols-2"
      >
        <For each={props.codes}>{(code) => <li>{code}</li>}</For>
      </ul>
      <DialogActions>
        <CopyButton text={text()} label={t("codes.copy")} size="medium" />
        <Button onClick={() => downloadFile(file(), text(), "text/plain")}>
          {t("codes.download")}
        </Button>
        <Button variant="primary" onClick={props.onClose}>
          {t("codes.done")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
