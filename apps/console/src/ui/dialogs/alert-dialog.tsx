// Asks before something that cannot be undone: names the object and the consequence; the least
// destructive button has the focus.
import * as Primitive from "@kobalte/core/alert-dialog";
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { Button, DialogActions } from "../buttons/button.tsx";
import { TextField } from "../forms/text-field.tsx";
import { OfflineNote } from "../states/use-online.tsx";
import { useOpener } from "./use-opener.ts";

export type AlertDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** What will happen, naming the object. */
  children: JSX.Element;
  /** A verb: "Revoke key", never "OK". */
  confirmLabel: string;
  pendingLabel?: string | undefined;
  cancelLabel?: string | undefined;
  pending?: boolean | undefined;
  /** Red only if something is lost. */
  destructive?: boolean | undefined;
  /** It changes something on the server, so it is off while offline. */
  changes?: boolean | undefined;
  onConfirm: () => void;
  error?: string | undefined;
  /** Must be typed before the action works; upper and lower case are the same. */
  typeToConfirm?: { label: string; text: string } | undefined;
};

export default function AlertDialog(props: AlertDialogProps): JSX.Element {
  let cancel: HTMLButtonElement | undefined;
  const [typed, setTyped] = createSignal("");
  const giveFocusBack = useOpener(() => props.open);
  const ready = () => !props.typeToConfirm || isSame(typed(), props.typeToConfirm.text);
  return (
    <Primitive.Root open={props.open} onOpenChange={props.onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay class="fixed inset-0 z-40 animate-appear bg-overlay" />
        <div class="fixed inset-0 z-50 flex items-end justify-center sm:items-center sm:p-6">
          <Primitive.Content
            class="w-full animate-rise rounded-t-card wrap-anywhere border border-border bg-raised p-5 shadow-popover focus:outline-none sm:max-w-md sm:rounded-card"
            onCloseAutoFocus={giveFocusBack}
            onOpenAutoFocus={(event) => {
              event.preventDefault();
              setTyped("");
              // Only after a dialog below has released the focus.
              setTimeout(() => cancel?.focus());
            }}
          >
            <Primitive.Title class="text-lg font-semibold">{props.title}</Primitive.Title>
            <Primitive.Description as="div" class="mt-2 flex flex-col gap-2 text-muted">
              {props.children}
            </Primitive.Description>
            <Show when={props.typeToConfirm}>
              {(wanted) => (
                <div class="mt-4">
                  <TextField
                    label={wanted().label}
                    value={typed()}
                    onInput={setTyped}
                    autocomplete="off"
                  />
                </div>
              )}
            </Show>
            <Show when={props.error}>
              <p role="alert" class="mt-3 text-sm text-danger">
                {props.error}
              </p>
            </Show>
            <Show when={props.changes}>
              <OfflineNote class="mt-3" />
            </Show>
            <DialogActions>
              <Button
                ref={(element) => {
                  cancel = element;
                }}
                onClick={() => props.onOpenChange(false)}
              >
                {props.cancelLabel ?? "Cancel"}
              </Button>
              <Button
                variant={props.destructive === false ? "primary" : "danger"}
                changes={props.changes}
                disabled={!ready()}
                pending={props.pending}
                pendingLabel={props.pendingLabel}
                onClick={() => props.onConfirm()}
              >
                {props.confirmLabel}
              </Button>
            </DialogActions>
          </Primitive.Content>
        </div>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** It is a moment to think, not a secret. */
function isSame(typed: string, wanted: string): boolean {
  return plain(typed) === plain(wanted);
}

/** As the server normalizes names, then in lower case. */
function plain(text: string): string {
  return text
    .trim()
    .replace(/\p{Zs}+/gu, " ")
    .normalize("NFC")
    .toLowerCase();
}
