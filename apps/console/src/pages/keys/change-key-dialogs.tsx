// The dialogs for an existing key: edit, move, rotate, revoke the old secret, revoke.
import { useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createMemo, lazy, Show, Suspense } from "solid-js";
import { api } from "../../lib/api.ts";
import { formatDateTime } from "../../lib/format.ts";
import { loadOnce } from "../../lib/load-once.ts";
import { useModels } from "../../lib/queries.ts";
import { useTimeZone } from "../../lib/session.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { createForm } from "../../ui/create-form.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormActions, FormFrame } from "../../ui/form.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { guardrailsKey } from "../shared/guardrails/guardrails-key.ts";
import type { Key } from "../shared/key-spend.tsx";
import { checkName } from "./check-name.ts";
import { EndPrevious } from "./end-previous.tsx";
import { checkLimits, limitsInput, limitValuesOf } from "./key-limits.ts";
import { useUntil } from "./key-status.tsx";
import { keysQueryKey } from "./keys-query-key.ts";
import { LimitFields } from "./limit-fields.tsx";
import { RotateKey } from "./rotate-key.tsx";

const MoveKey = lazy(loadOnce(() => import("./move-key.tsx")));

/** Which dialog is open, and for which key. */
export type KeyChange = {
  readonly kind: "edit" | "move" | "rotate" | "endPrevious" | "revoke";
  readonly key: Key;
};

type ChangeProps = { change: KeyChange | undefined; onClose: () => void };

export default function ChangeKeyDialogs(props: ChangeProps): JSX.Element {
  const of = (kind: KeyChange["kind"]) =>
    props.change?.kind === kind ? props.change.key : undefined;
  return (
    <>
      <Dialog
        open={of("edit") !== undefined}
        onOpenChange={props.onClose}
        title={`Edit ${of("edit")?.name ?? ""}`}
      >
        <Show when={of("edit")} keyed>
          {(key) => <EditKeyForm of={key} onClose={props.onClose} />}
        </Show>
      </Dialog>
      <Suspense>
        <MoveKey of={of("move")} onClose={props.onClose} />
      </Suspense>
      <RotateKey of={of("rotate")} onClose={props.onClose} />
      <EndPrevious of={of("endPrevious")} onClose={props.onClose} />
      <RevokeKey of={of("revoke")} onClose={props.onClose} />
    </>
  );
}

function EditKeyForm(props: { of: Key; onClose: () => void }): JSX.Element {
  const client = useQueryClient();
  const models = useModels();
  const timeZone = useTimeZone();
  const known = createMemo(() => new Set(models.data?.map((model) => model.id) ?? []));
  const form = createForm({
    initial: { name: props.of.name, ...limitValuesOf(props.of) },
    validate: (values) => ({
      name: checkName(values.name),
      ...checkLimits(values, known(), timeZone()),
    }),
    async submit(values) {
      const limits = limitsInput(values, timeZone(), props.of) ?? {};
      await api.keys.update.mutate({ id: props.of.id, name: values.name.trim(), limits });
      showToast(`Saved ${values.name.trim()}`);
      props.onClose();
      // Its models and addresses are rules of its guardrail.
      await Promise.all(
        [keysQueryKey, guardrailsKey].map((queryKey) => client.invalidateQueries({ queryKey })),
      );
    },
  });
  const keptExpiry = () => {
    const { expiresAt } = props.of;
    return expiresAt === null ? undefined : formatDateTime(new Date(expiresAt), timeZone());
  };
  return (
    <FormFrame form={form}>
      <TextField {...form.field("name")} label="Name" autocomplete="off" />
      <LimitFields form={form} keptExpiry={keptExpiry()} />
      <FormActions
        form={form}
        label="Save changes"
        pendingLabel="Saving…"
        onCancel={props.onClose}
      />
    </FormFrame>
  );
}

function RevokeKey(props: { of: Key | undefined; onClose: () => void }): JSX.Element {
  const name = () => props.of?.name ?? "";
  const masked = () => props.of?.masked ?? "";
  const usedAt = () => props.of?.lastUsedAt ?? null;
  return (
    <ConfirmDialog
      of={props.of}
      onClose={props.onClose}
      title={`Revoke ${name()}?`}
      confirmLabel="Revoke key"
      pendingLabel="Revoking…"
      change={({ id }) => api.keys.revoke.mutate({ id })}
      refreshes={keysQueryKey}
      toast={(_, key) => `Revoked ${key.name}`}
      typeToConfirm={{
        label: `Type the last four characters of ${masked()} to confirm`,
        text: lastFour(masked()),
      }}
    >
      <p>Requests using {name()} will fail immediately. This cannot be undone.</p>
      <Show when={usedAt()} fallback={<p>It has never been used.</p>}>
        {(at) => <p>Last used {useUntil(at())}.</p>}
      </Show>
    </ConfirmDialog>
  );
}

/** `c41d` of `sk-tp-9f2a…c41d`: can be typed on every keyboard, unlike some names. */
function lastFour(masked: string): string {
  return masked.slice(-4);
}
