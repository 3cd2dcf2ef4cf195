// What is done to a key that exists: edit it, give it a new secret, revoke it.
import { useMutation, useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createMemo, createSignal, Show } from "solid-js";
import { api } from "../api.ts";
import { describeFailure } from "../describe-failure.ts";
import { useModels } from "../queries.ts";
import { readFailure } from "../read-failure.ts";
import { t as shared } from "../texts/shared.ts";
import { AlertDialog } from "../ui/alert-dialog.tsx";
import { Button } from "../ui/button.tsx";
import { RadioCards } from "../ui/choices.tsx";
import { createForm } from "../ui/create-form.ts";
import { Dialog, DialogActions } from "../ui/dialog.tsx";
import { FormFrame } from "../ui/form.tsx";
import { TextField } from "../ui/text-field.tsx";
import { useToast } from "../ui/toasts.tsx";
import { OfflineNote } from "../ui/use-online.tsx";
import { checkName } from "./create-key-dialog.tsx";
import { checkLimits, limitsInput, limitValuesOf } from "./key-limits.ts";
import { type Key, useUntil } from "./key-row.tsx";
import { keysQueryKey } from "./keys-query-key.ts";
import { LimitFields } from "./limit-fields.tsx";
import { SecretDialog } from "./reveal-key.tsx";
import { t } from "./texts.ts";

/** Which dialog is open, and for which key. */
export type KeyChange = { readonly kind: "edit" | "rotate" | "revoke"; readonly key: Key };

type ChangeProps = { change: KeyChange | undefined; onClose: () => void };

export function ChangeKeyDialogs(props: ChangeProps): JSX.Element {
  const of = (kind: KeyChange["kind"]) =>
    props.change?.kind === kind ? props.change.key : undefined;
  return (
    <>
      <Dialog
        open={of("edit") !== undefined}
        onOpenChange={props.onClose}
        title={t("edit.title", { name: of("edit")?.name ?? "" })}
      >
        <Show when={of("edit")} keyed>
          {(key) => <EditKeyForm of={key} onClose={props.onClose} />}
        </Show>
      </Dialog>
      <RotateKey of={of("rotate")} onClose={props.onClose} />
      <RevokeKey of={of("revoke")} onClose={props.onClose} />
    </>
  );
}

function EditKeyForm(props: { of: Key; onClose: () => void }): JSX.Element {
  const client = useQueryClient();
  const toast = useToast();
  const models = useModels();
  const known = createMemo(
    () => new Set(models.isSuccess ? models.data.map((model) => model.id) : []),
  );
  const form = createForm({
    initial: { name: props.of.name, ...limitValuesOf(props.of) },
    validate: (values) => ({ name: checkName(values.name), ...checkLimits(values, known()) }),
    async submit(values) {
      const limits = limitsInput(values, props.of) ?? {};
      await api.keys.update.mutate({ id: props.of.id, name: values.name.trim(), limits });
      toast(t("edit.saved", { name: values.name.trim() }));
      props.onClose();
      await client.invalidateQueries({ queryKey: keysQueryKey });
    },
  });
  return (
    <FormFrame form={form}>
      <TextField {...form.field("name")} label={t("create.name")} autocomplete="off" />
      <LimitFields form={form} keptExpiry={props.of.expiresAt?.slice(0, 10)} />
      <DialogActions>
        <Button onClick={props.onClose}>{shared("action.cancel")}</Button>
        <Button
          type="submit"
          variant="primary"
          pending={form.pending()}
          pendingLabel={shared("action.saving")}
        >
          {t("edit.submit")}
        </Button>
      </DialogActions>
    </FormFrame>
  );
}

const graces = [
  { value: "0", label: t("rotate.none") },
  { value: "3600", label: t("rotate.hour") },
  { value: "86400", label: t("rotate.day") },
  { value: "604800", label: t("rotate.week") },
] as const;

/** The values the server accepts. */
function graceSecondsOf(value: string): 0 | 3600 | 86_400 | 604_800 {
  if (value === "3600") return 3600;
  if (value === "86400") return 86_400;
  return value === "604800" ? 604_800 : 0;
}

function RotateKey(props: { of: Key | undefined; onClose: () => void }): JSX.Element {
  const client = useQueryClient();
  // Only this component ever holds the secret: the mutation answers nothing.
  const [secret, setSecret] = createSignal<string>();
  const [grace, setGrace] = createSignal("86400");
  const rotate = useMutation(() => ({
    async mutationFn(key: Key) {
      const graceSeconds = graceSecondsOf(grace());
      setSecret((await api.keys.rotate.mutate({ id: key.id, graceSeconds })).key);
      await client.invalidateQueries({ queryKey: keysQueryKey });
    },
  }));
  const close = () => {
    setSecret(undefined);
    rotate.reset();
    props.onClose();
  };
  return (
    <SecretDialog
      open={props.of !== undefined}
      title={t("rotate.title", { name: props.of?.name ?? "" })}
      description={t("rotate.description")}
      secret={secret()}
      onClose={close}
    >
      <RadioCards
        legend={t("rotate.grace")}
        name="grace"
        value={grace()}
        onChange={setGrace}
        choices={graces}
        error={rotate.isError ? describeFailure(readFailure(rotate.error)) : undefined}
      />
      <OfflineNote />
      <DialogActions>
        <Button onClick={close}>{shared("action.cancel")}</Button>
        <Button
          variant="primary"
          changes
          pending={rotate.isPending}
          pendingLabel={t("rotate.submitting")}
          onClick={() => props.of && rotate.mutate(props.of)}
        >
          {t("rotate.submit")}
        </Button>
      </DialogActions>
    </SecretDialog>
  );
}

const dayMs = 86_400_000;

function RevokeKey(props: { of: Key | undefined; onClose: () => void }): JSX.Element {
  const client = useQueryClient();
  const toast = useToast();
  const revoke = useMutation(() => ({
    mutationFn: (key: Key) => api.keys.revoke.mutate({ id: key.id }),
    async onSuccess(_, key) {
      props.onClose();
      toast(t("actions.revoked", { name: key.name }));
      await client.invalidateQueries({ queryKey: keysQueryKey });
    },
  }));
  const name = () => props.of?.name ?? "";
  const usedAt = () => props.of?.lastUsedAt ?? null;
  const inUse = () => {
    const at = usedAt();
    return at !== null && Date.now() - new Date(at).getTime() < dayMs;
  };
  return (
    <AlertDialog
      open={props.of !== undefined}
      onOpenChange={props.onClose}
      title={t("revoke.title", { name: name() })}
      confirmLabel={t("revoke.confirm")}
      pending={revoke.isPending}
      changes
      pendingLabel={t("revoke.pending")}
      error={revoke.isError ? describeFailure(readFailure(revoke.error)) : undefined}
      typeToConfirm={
        inUse() ? { label: t("revoke.type", { name: name() }), text: name() } : undefined
      }
      onConfirm={() => props.of && revoke.mutate(props.of)}
    >
      <p>{t("revoke.body", { name: name() })}</p>
      <Show when={usedAt()} fallback={<p>{t("revoke.unused")}</p>}>
        {(at) => <p>{t("revoke.used", { ago: useUntil(at()) })}</p>}
      </Show>
    </AlertDialog>
  );
}
