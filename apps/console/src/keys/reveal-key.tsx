// The one time a key is shown. It lives in the memory of this component: closing the dialog without
// having copied it asks first, and then it is gone.
import type { JSX } from "solid-js";
import { createSignal, createUniqueId, onCleanup, Show } from "solid-js";
import { useModels } from "../queries.ts";
import { useConfig } from "../session.ts";
import { firstCallSnippets } from "../snippets.ts";
import { AlertDialog } from "../ui/alert-dialog.tsx";
import { Button } from "../ui/button.tsx";
import { CodeSnippet } from "../ui/code-snippet.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Dialog, DialogActions } from "../ui/dialog.tsx";
import { t } from "./texts.ts";

type RevealKeyProps = {
  /** The dialog is open while there is one. */
  secret: string | undefined;
  /** Forget it. */
  onClose: () => void;
};

export function RevealKey(props: RevealKeyProps): JSX.Element {
  const [copied, setCopied] = createSignal(false);
  const [asking, setAsking] = createSignal(false);
  const warn = (event: BeforeUnloadEvent) => {
    if (props.secret !== undefined && !copied()) event.preventDefault();
  };
  addEventListener("beforeunload", warn);
  onCleanup(() => removeEventListener("beforeunload", warn));
  const close = () => {
    setAsking(false);
    setCopied(false);
    props.onClose();
  };
  let copy: HTMLButtonElement | undefined;
  return (
    <>
      <Dialog
        open={props.secret !== undefined}
        onOpenChange={() => (copied() ? close() : setAsking(true))}
        title={t("reveal.title")}
        description={t("reveal.once")}
        initialFocus={() => copy}
      >
        <Show when={props.secret}>
          {(secret) => (
            <RevealedKey
              secret={secret()}
              onCopied={() => setCopied(true)}
              copyRef={(element) => {
                copy = element;
              }}
            />
          )}
        </Show>
        <DialogActions>
          <Button
            variant={copied() ? "primary" : "secondary"}
            onClick={() => (copied() ? close() : setAsking(true))}
          >
            {t("reveal.done")}
          </Button>
        </DialogActions>
      </Dialog>
      <AlertDialog
        open={asking()}
        onOpenChange={setAsking}
        title={t("reveal.closeTitle")}
        cancelLabel={t("reveal.back")}
        confirmLabel={t("reveal.closeAnyway")}
        onConfirm={close}
      >
        {t("reveal.closeBody")}
      </AlertDialog>
    </>
  );
}

type RevealedKeyProps = {
  secret: string;
  onCopied: () => void;
  copyRef: (element: HTMLButtonElement) => void;
};

function RevealedKey(props: RevealedKeyProps): JSX.Element {
  const id = createUniqueId();
  const config = useConfig();
  const models = useModels();
  let field: HTMLTextAreaElement | undefined;
  const facts = () => {
    if (!config.isSuccess) return undefined;
    const model = (models.isSuccess && models.data[0]?.id) || "sandbox/echo";
    return { baseUrl: config.data.apiBaseUrl, model, apiKey: props.secret };
  };
  return (
    <div class="flex flex-col gap-5">
      <div class="flex flex-col gap-2">
        <label for={id} class="text-base font-medium">
          {t("reveal.label")}
        </label>
        <div class="flex flex-col gap-2 sm:flex-row sm:items-start">
          <textarea
            id={id}
            readonly
            rows={2}
            spellcheck={false}
            class="field min-h-14 resize-none font-mono break-all"
            value={props.secret}
            ref={(element) => {
              field = element;
            }}
            onFocus={(event) => event.currentTarget.select()}
            onCopy={() => props.onCopied()}
          />
          <CopyButton
            text={props.secret}
            label={t("reveal.copy")}
            variant="primary"
            size="medium"
            source={() => field}
            onCopied={props.onCopied}
            ref={props.copyRef}
          />
        </div>
      </div>
      <Show when={facts()}>
        {(known) => (
          <div class="flex flex-col gap-2">
            <h3 class="font-medium">{t("reveal.start")}</h3>
            <CodeSnippet snippets={firstCallSnippets(known())} />
          </div>
        )}
      </Show>
    </div>
  );
}
