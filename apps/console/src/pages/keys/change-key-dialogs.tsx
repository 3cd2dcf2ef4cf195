// The dialogs for an existing key: edit, move, rotate, revoke the old secret, revoke.
import type { JSX } from "solid-js";
import { createMemo, Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { formatDateTime } from "../../lib/format.ts";
import { useModels } from "../../lib/queries.ts";
import { useTimeZone } from "../../lib/session.ts";
import { checkName } from "../../lib/typed-text.ts";
import { useRefresh } from "../../lib/use-refresh.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { createForm } from "../../ui/create-form.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { guardrailsKey } from "../shared/guardrails/guardrails-key.ts";
import type { Key } from "../shared/key-spend.tsx";
import { EndPrevious } from "./end-previous.tsx";
import { checkLimits, limitsInput, limitValuesOf, nameMissing } from "./key-limits.ts";
import { useUntil } from "./key-status.tsx";
import { keysQueryKey } from "./keys-query-key.ts";
import { LimitFields } from "./limit-fields.tsx";
import { MoveKey } from "./move-key.tsx";
import { RotateKey } from "./rotate-key.tsx";

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
      <Show when={of("edit")} keyed>
        {(key) => <EditKey of={key} onClose={props.onClose} />}
      </Show>
      <Show when={of("move")} keyed>
        {(key) => <MoveKey of={key} onClose={props.onClose} />}
      </Show>
      <RotateKey of={of("rotate")} onClose={props.onClose} />
      <EndPrevious of={of("endPrevious")} onClose={props.onClose} />
      <RevokeKey of={of("revoke")} onClose={props.onClose} />
    </>
  );
}

function EditKey(props: { of: Key; onClose: () => void }): JSX.Element {
  const refresh = useRefresh();
  const models = useModels();
  const timeZone = useTimeZone();
  const known = createMemo(() => new Set(models.data?.map((model) => model.id) ?? []));
  const form = createForm({
    initial: { name: props.of.name, ...limitValuesOf(props.of) },
    validate: (values) => ({
      name: checkName(values.name, nameMissing),
      ...checkLimits(values, known(), timeZone()),
    }),
    async submit(values) {
      const limits = limitsInput(values, timeZone(), props.of) ?? {};
      await api.keys.update.mutate({ id: props.of.id, name: values.name.trim(), limits });
      showToast(`Saved ${values.name.trim()}`);
      props.onClose();
      // Its models and addresses are rules of its guardrail.
      await refresh(keysQueryKey, guardrailsKey);
    },
  });
  const keptExpiry = () => {
    const { expiresAt } = props.of;
    return expiresAt === null ? undefined : formatDateTime(new Date(expiresAt), timeZone());
  };
  return (
    <FormDialog
      form={form}
      title={`Edit ${props.of.name}`}
      label="Save changes"
      pendingLabel="Saving…"
      onClose={props.onClose}
    >
      <TextField {...form.field("name")} label="Name" autocomplete="off" />
      <LimitFields form={form} keptExpiry={keptExpiry()} />
    </FormDialog>
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
