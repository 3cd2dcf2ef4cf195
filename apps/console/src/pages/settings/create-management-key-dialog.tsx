// Creates a management key: a name, what it may do, when it expires, and then the key itself, once.
import { nameCharsMax } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { createSignal, For } from "solid-js";
import { type Answers, api, type Inputs } from "../../lib/api.ts";
import { useConfig } from "../../lib/session.ts";
import { SecretDialog } from "../../product/keys/secret-dialog.tsx";
import { Checkbox, Select } from "../../ui/forms/choices.tsx";
import { createForm } from "../../ui/forms/create-form.ts";
import { FieldError } from "../../ui/forms/field.tsx";
import { FormActions, FormFrame } from "../../ui/forms/form.tsx";
import { TextField } from "../../ui/forms/text-field.tsx";

import { permissionText } from "./permission-text.ts";

type Grantable = Answers["managementKeys"]["list"]["grantable"];

type CreateManagementKeyDialogProps = {
  open: boolean;
  /** What the role of the person allows. */
  grantable: Grantable;
  onClose: () => void;
  onCreated: () => void;
};

export default function CreateManagementKeyDialog(
  props: CreateManagementKeyDialogProps,
): JSX.Element {
  const config = useConfig();
  const [secret, setSecret] = createSignal<string>();
  const close = () => {
    setSecret(undefined);
    props.onClose();
  };
  return (
    <SecretDialog
      open={props.open}
      title="Create management key"
      secret={secret()}
      onClose={close}
      next={`Send it as \`Authorization: Bearer …\` to ${`${config.data?.apiBaseUrl ?? ""}/management/…`}.`}
    >
      <CreateForm
        grantable={props.grantable}
        onCancel={close}
        onMade={(key) => {
          setSecret(key);
          props.onClose();
          props.onCreated();
        }}
      />
    </SecretDialog>
  );
}

type CreateFormProps = {
  grantable: Grantable;
  onCancel: () => void;
  onMade: (key: string) => void;
};

const dayMs = 86_400_000;
const lifetimes = ["0", "30", "90", "365"] as const;

function CreateForm(props: CreateFormProps): JSX.Element {
  // One per opened form: however often it is sent, it creates one key.
  const attemptId = crypto.randomUUID();
  const [chosen, setChosen] = createSignal<Grantable>([]);
  const form = createForm({
    initial: { name: "", days: "90", permissions: "" },
    validate: ({ name, permissions }) => ({
      name: name.trim() === "" ? "Enter a name." : undefined,
      permissions: permissions === "" ? "Choose at least one permission." : undefined,
    }),
    async submit({ name, days }) {
      const input: Inputs["managementKeys"]["create"] = {
        name: name.trim(),
        permissions: [...chosen()],
        attemptId,
      };
      const lifetime = Number(days) * dayMs;
      if (lifetime > 0) input.expiresAt = new Date(Date.now() + lifetime).toISOString();
      props.onMade((await api.managementKeys.create.mutate(input)).key);
    },
  });
  const toggle = (permission: Grantable[number], isChosen: boolean) => {
    setChosen(
      props.grantable.filter((one) => (one === permission ? isChosen : chosen().includes(one))),
    );
    form.set("permissions", chosen().join(","));
  };
  return (
    <FormFrame form={form}>
      <TextField
        {...form.field("name")}
        label="Name"
        hint="Where it is used, e.g. “onboarding script”."
        maxlength={nameCharsMax.managementKey}
        autocomplete="off"
        autofocus
      />
      <fieldset class="flex flex-col gap-2">
        <legend class="mb-1.5 text-base font-medium">What it may do</legend>
        <div class="grid gap-2 sm:grid-cols-2">
          <For each={props.grantable}>
            {(permission) => (
              <Checkbox
                name="permissions"
                label={permissionText(permission)}
                checked={chosen().includes(permission)}
                onChange={(isChosen) => toggle(permission, isChosen)}
              />
            )}
          </For>
        </div>
        <FieldError id="permissions-error" error={form.field("permissions").error} />
      </fieldset>
      <Select
        label="Expires"
        name="days"
        value={form.values.days}
        onChange={(days) => form.set("days", days)}
        choices={lifetimes.map((value) => ({
          value,
          label: value === "0" ? "Never" : `In ${value} days`,
        }))}
      />
      <FormActions
        form={form}
        label="Create key"
        pendingLabel="Creating…"
        onCancel={props.onCancel}
      />
    </FormFrame>
  );
}
