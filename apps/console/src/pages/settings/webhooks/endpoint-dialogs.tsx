// The dialogs of endpoints: added, changed, deleted, and their secrets.
import { useQueryClient } from "@tanstack/solid-query";
import type { OverlapHours } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { api } from "../../../lib/api.ts";
import { Button, DialogActions } from "../../../ui/button.tsx";
import { choicesOf, RadioCards } from "../../../ui/choices.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { TextArea } from "../../../ui/text-field.tsx";
import { showToast } from "../../../ui/toasts.tsx";
import { EndpointDialog, type EventType } from "./endpoint-dialog.tsx";
import { type Endpoint, type EndpointChange, webhooksKey } from "./endpoints.ts";

type EndpointDialogsProps = {
  change: EndpointChange | undefined;
  eventTypes: readonly EventType[];
  onChange: (change: EndpointChange | undefined) => void;
};

export default function EndpointDialogs(props: EndpointDialogsProps): JSX.Element {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: webhooksKey });
  const close = () => props.onChange(undefined);
  const endpointOf = (kind: "change" | "rotate" | "delete") =>
    props.change?.kind === kind ? props.change.endpoint : undefined;
  const secret = () => (props.change?.kind === "secret" ? props.change.secret : undefined);
  const showSecret = async (shown: string) => {
    await refresh();
    props.onChange({ kind: "secret", secret: shown });
  };
  return (
    <>
      <Show when={props.change?.kind === "add"}>
        <EndpointDialog
          eventTypes={props.eventTypes}
          onClose={close}
          onSubmit={async (input) => {
            await showSecret((await api.webhooks.create.mutate(input)).secret);
          }}
        />
      </Show>
      <Show when={endpointOf("change")} keyed>
        {(endpoint) => (
          <EndpointDialog
            of={endpoint}
            eventTypes={props.eventTypes}
            onClose={close}
            onSubmit={async (input) => {
              await api.webhooks.update.mutate({ id: endpoint.id, ...input });
              await refresh();
              close();
              showToast("The endpoint was changed.");
            }}
          />
        )}
      </Show>
      <RotateDialog
        of={endpointOf("rotate")}
        onClose={close}
        onDone={(shown) => void showSecret(shown)}
      />
      <ConfirmDialog
        of={endpointOf("delete")}
        onClose={close}
        title="Delete this endpoint?"
        confirmLabel="Delete"
        pendingLabel="Deleting…"
        change={({ id }) => api.webhooks.delete.mutate({ id })}
        refreshes={webhooksKey}
        toast="The endpoint was deleted."
      >
        Nothing more is sent to {endpointOf("delete")?.url ?? ""}, and its deliveries are no longer
        listed.
      </ConfirmDialog>
      <SecretDialog secret={secret()} onClose={close} />
    </>
  );
}

type Overlap = `${OverlapHours}`;

const overlaps = choicesOf<Overlap>({ 0: "No longer", 1: "1 hour", 24: "1 day", 168: "7 days" });
/** Guarantee: an `Overlap` is one of `OverlapHours` in digits. */
const hoursOf = (overlap: Overlap) => Number(overlap) as OverlapHours;

type RotateDialogProps = {
  of: Endpoint | undefined;
  onClose: () => void;
  onDone: (secret: string) => void;
};

function RotateDialog(props: RotateDialogProps): JSX.Element {
  const [overlap, setOverlap] = createSignal<Overlap>("24");
  return (
    <ConfirmDialog
      of={props.of}
      onClose={props.onClose}
      title="Rotate the signing secret?"
      confirmLabel="Rotate secret"
      pendingLabel="Rotating…"
      change={({ id }) =>
        api.webhooks.rotateSecret.mutate({ id, overlapHours: hoursOf(overlap()) })
      }
      onDone={({ secret }) => props.onDone(secret)}
    >
      <p>
        Messages are signed with the new secret, and with the old one too for as long as you choose
        here.
      </p>
      <RadioCards
        legend="The old secret counts"
        name="overlap"
        value={overlap()}
        onChange={setOverlap}
        choices={overlaps}
      />
    </ConfirmDialog>
  );
}

/** It can be shown again, so closing it loses nothing. */
function SecretDialog(props: { secret: string | undefined; onClose: () => void }): JSX.Element {
  return (
    <Show when={props.secret}>
      {(secret) => (
        <Dialog
          open
          onOpenChange={() => props.onClose()}
          title="Signing secret"
          description="Your endpoint verifies the signature of every message with it. Keep it like a password."
        >
          <TextArea
            label="Secret"
            value={secret()}
            onInput={() => undefined}
            readonly
            mono
            rows={2}
            spellcheck={false}
          />
          <DialogActions>
            <Button onClick={() => props.onClose()}>Done</Button>
            <CopyButton text={secret()} label="Copy secret" variant="primary" size="medium" />
          </DialogActions>
        </Dialog>
      )}
    </Show>
  );
}
