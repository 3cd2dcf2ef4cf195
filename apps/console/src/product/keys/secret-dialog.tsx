// Shows a new key once, as the second step of the dialog that created it. The key lives only in the memory
// of these components: closing before copying it asks first, and then it is gone.
import { useBeforeLeave } from "@solidjs/router";
import type { JSX } from "solid-js";
import {
  createEffect,
  createSignal,
  createUniqueId,
  lazy,
  on,
  onCleanup,
  onMount,
  Show,
  Suspense,
} from "solid-js";
import { fundsOf } from "../../lib/funds-of.ts";
import { loadOnce } from "../../lib/load-once.ts";
import { useMay, useWallet } from "../../lib/session.ts";
import { AddFundsLink } from "../../shell/add-funds.tsx";
import { Button, DialogActions } from "../../ui/buttons/button.tsx";
import { type CopiedEvent, CopyButton } from "../../ui/buttons/copy-button.tsx";
import AlertDialog from "../../ui/dialogs/alert-dialog.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { mayLeave } from "../../ui/dialogs/leave-guard.tsx";

const FirstRequestOfKey = lazy(loadOnce(() => import("../connect/first-request.tsx")));

const ToolSetupChooser = lazy(
  loadOnce(async () => ({ default: (await import("../connect/tool-setup.tsx")).ToolSetupChooser })),
);

type SecretDialogProps = {
  open: boolean;
  title: string;
  description?: string | undefined;
  /** Shown by the dialog instead of its content while set. */
  secret: string | undefined;
  /** Of an API key: its first request is awaited here. */
  keyId?: string | undefined;
  /** What to do with it; by default the first call of a model. */
  next?: string;
  /** Closed permanently: forget the secret. */
  onClose: () => void;
  /** The first step, which creates the secret. */
  children: JSX.Element;
};

export function SecretDialog(props: SecretDialogProps): JSX.Element {
  const [copied, setCopied] = createSignal(false);
  const [asking, setAsking] = createSignal(false);
  const [leaving, setLeaving] = createSignal<() => void>();
  const isSafe = () => props.secret === undefined || copied();
  const close = () => {
    const leave = leaving();
    stay();
    props.onClose();
    leave?.();
  };
  const stay = () => {
    setAsking(false);
    setLeaving(undefined);
  };
  createEffect(
    on(
      () => props.secret,
      () => setCopied(false),
    ),
  );
  useBeforeLeave((event) => {
    if (event.defaultPrevented || isSafe() || mayLeave(event.to)) return;
    event.preventDefault();
    setLeaving(() => () => event.retry(true));
    setAsking(true);
  });
  const warn = (event: BeforeUnloadEvent) => {
    if (!isSafe()) event.preventDefault();
  };
  addEventListener("beforeunload", warn);
  onCleanup(() => removeEventListener("beforeunload", warn));
  const requestClose = () => (isSafe() ? close() : setAsking(true));
  return (
    <Dialog
      open={props.open || props.secret !== undefined}
      onOpenChange={requestClose}
      // Beside the key there is the code that sends it: together they fit without scrolling.
      shape={props.secret !== undefined && props.next === undefined ? "wide" : "medium"}
      title={props.secret === undefined ? props.title : "Save your key"}
      description={
        props.secret === undefined
          ? props.description
          : "This is the only time we show it. Store it like a password."
      }
    >
      <Show when={props.secret} fallback={props.children}>
        {(secret) => (
          <>
            <RevealedKey
              secret={secret()}
              keyId={props.keyId}
              next={props.next}
              onCopied={() => setCopied(true)}
            />
            <DialogActions>
              <Button variant={copied() ? "primary" : "secondary"} onClick={requestClose}>
                Done
              </Button>
            </DialogActions>
          </>
        )}
      </Show>
      {/* Within, so that the focus returns into the dialog, not to what opened that. */}
      <AlertDialog
        open={asking()}
        onOpenChange={stay}
        title="Close without copying the key?"
        cancelLabel="Go back"
        confirmLabel="Close anyway"
        onConfirm={close}
      >
        It cannot be shown again. You would have to create a new one.
      </AlertDialog>
    </Dialog>
  );
}

type RevealedKeyProps = {
  secret: string;
  keyId: string | undefined;
  next: string | undefined;
  onCopied: () => void;
};

function RevealedKey(props: RevealedKeyProps): JSX.Element {
  const id = createUniqueId();
  let field: HTMLTextAreaElement | undefined;
  let copy: HTMLButtonElement | undefined;
  /** Whether as such or in the code that sends it, by its button or by selecting it. */
  const note = (text: string) => {
    if (text.includes(props.secret)) props.onCopied();
  };
  const watch = (element: HTMLElement) => {
    element.addEventListener("copied", (event) => note((event as CopiedEvent).detail));
    element.addEventListener("copy", () => note(getSelection()?.toString() ?? ""));
  };
  onMount(() => copy?.focus());
  return (
    <div ref={watch} class="flex flex-col gap-5">
      <div class="flex flex-col gap-2">
        <label for={id} class="text-base font-medium">
          {props.next === undefined ? "Your new API key" : "Your new key"}
        </label>
        <div class="flex flex-col gap-2 sm:flex-row sm:items-start">
          <textarea
            id={id}
            readonly
            rows={2}
            spellcheck={false}
            class="field h-auto! resize-none py-2 font-mono break-all"
            value={props.secret}
            ref={(element) => {
              field = element;
            }}
            onFocus={(event) => event.currentTarget.select()}
            onCopy={() => props.onCopied()}
          />
          <CopyButton
            text={props.secret}
            label="Copy key"
            variant="primary"
            size="medium"
            source={() => field}
            ref={(element) => {
              copy = element;
            }}
          />
        </div>
      </div>
      <Show when={props.next === undefined} fallback={<p class="wrap-anywhere">{props.next}</p>}>
        <FirstCall secret={props.secret} keyId={props.keyId} />
      </Show>
    </div>
  );
}

function FirstCall(props: { secret: string; keyId: string | undefined }): JSX.Element {
  const wallet = useWallet();
  const mayRead = useMay("logs.read");
  return (
    <div class="flex flex-col gap-2">
      <Show
        when={wallet.data && fundsOf(wallet.data) === "zero"}
        fallback={
          <>
            <Suspense>
              <ToolSetupChooser apiKey={props.secret} />
            </Suspense>
            <Show when={mayRead() && props.keyId}>
              {(keyId) => (
                <Suspense>
                  <FirstRequestOfKey keyId={keyId()} />
                </Suspense>
              )}
            </Show>
          </>
        }
      >
        <p>
          Your balance is empty, so requests with this key are declined. <AddFundsLink />
        </p>
      </Show>
    </div>
  );
}
