// Creates an organization from its name and opens it.
import type { JSX } from "solid-js";
import { openAccount } from "../lib/account-address.ts";
import { api } from "../lib/api.ts";
import { createForm } from "../ui/create-form.ts";
import { Dialog, DialogActions } from "../ui/dialog.tsx";
import { FormFrame, SubmitButton } from "../ui/form.tsx";
import { TextField } from "../ui/text-field.tsx";
import { t } from "./account-texts.ts";

type CreateOrganizationProps = { open: boolean; onOpenChange: (open: boolean) => void };

export default function CreateOrganization(props: CreateOrganizationProps): JSX.Element {
  const form = createForm({
    initial: { name: "" },
    validate: ({ name }) => ({ name: name.trim() === "" ? t("account.nameMissing") : undefined }),
    async submit({ name }) {
      const { slug } = await api.accounts.create.mutate({ name: name.trim() });
      openAccount({ kind: "organization", slug });
    },
  });
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title={t("account.create")}
      description={t("account.createHint")}
    >
      <FormFrame form={form}>
        <TextField
          {...form.field("name")}
          label={t("account.name")}
          maxlength={80}
          autocomplete="organization"
        />
        <DialogActions>
          <SubmitButton form={form} pendingLabel={t("account.creating")}>
            {t("account.create")}
          </SubmitButton>
        </DialogActions>
      </FormFrame>
    </Dialog>
  );
}
