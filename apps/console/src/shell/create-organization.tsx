// Creates an organization from its name and opens it.
import { nameCharsMax } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { openAccount } from "../lib/account-address.ts";
import { api } from "../lib/api.ts";
import { Dialog } from "../ui/dialogs/dialog.tsx";
import { createForm } from "../ui/forms/create-form.ts";
import { FormActions, FormFrame } from "../ui/forms/form.tsx";
import { TextField } from "../ui/forms/text-field.tsx";

type CreateOrganizationProps = { open: boolean; onOpenChange: (open: boolean) => void };

export default function CreateOrganization(props: CreateOrganizationProps): JSX.Element {
  const form = createForm({
    initial: { name: "" },
    validate: ({ name }) => ({ name: name.trim() === "" ? "Enter a name." : undefined }),
    async submit({ name }) {
      const { slug } = await api.accounts.create.mutate({ name: name.trim() });
      openAccount({ kind: "organization", slug });
    },
  });
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title="Create organization"
      description="An account that several people share, with its own wallet, keys and logs."
    >
      <FormFrame form={form}>
        <TextField
          {...form.field("name")}
          label="Name"
          maxlength={nameCharsMax.account}
          autocomplete="organization"
        />
        <FormActions form={form} label="Create organization" pendingLabel="Creating…" />
      </FormFrame>
    </Dialog>
  );
}
