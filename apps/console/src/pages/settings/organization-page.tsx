// Settings of an organization: its name, its address, and leaving it.
import { useMutation, useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createSignal, lazy, Show, Suspense } from "solid-js";
import { openAccount } from "../../lib/account-address.ts";
import { api } from "../../lib/api.ts";
import { describeFailure } from "../../lib/describe-failure.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { type Account, meKey, useAccount, useConfig, useMay } from "../../lib/session.ts";
import { AlertDialog } from "../../ui/alert-dialog.tsx";
import { Asked } from "../../ui/asked.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { createForm } from "../../ui/create-form.ts";
import { FormFrame, SubmitButton } from "../../ui/form.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { AccountLimitsCard } from "./account-limits-card.tsx";
import { ExportCard } from "./export-card.tsx";
import { NoOrganization } from "./no-organization.tsx";
import { RequireFactorsCard } from "./require-factors-card.tsx";
import { SettingsFrame } from "./settings-frame.tsx";

const DomainsCard = lazy(() => import("./domains-card.tsx"));

export default function OrganizationPage(): JSX.Element {
  const config = useConfig();
  const account = useAccount();
  const mayChange = useMay("account.change");
  const mayClose = useMay("account.own");
  return (
    <SettingsFrame>
      <Show when={account()?.kind === "organization" && account()} fallback={<NoOrganization />}>
        {(organization) => (
          <>
            <Show when={mayChange()}>
              <Asked as="change-organization">
                <NameCard of={organization()} />
              </Asked>
              <Asked as="require-factors">
                <RequireFactorsCard of={organization()} />
              </Asked>
              <Asked as="set-rate-limits">
                <AccountLimitsCard />
              </Asked>
            </Show>
            <Show when={mayChange() && config.data?.signInProviders.length}>
              <Asked as="add-domain">
                <Suspense>
                  <DomainsCard />
                </Suspense>
              </Asked>
            </Show>
            <Show when={mayClose()}>
              <Asked as="export-organization">
                <ExportCard of="account" />
              </Asked>
            </Show>
            <Asked as="leave-organization">
              <LeaveCard of={organization()} />
            </Asked>
            <Show when={mayClose()}>
              <Asked as="delete-organization">
                <CloseCard of={organization()} />
              </Asked>
            </Show>
          </>
        )}
      </Show>
    </SettingsFrame>
  );
}

function NameCard(props: { of: Account }): JSX.Element {
  const client = useQueryClient();
  const form = createForm({
    initial: { name: props.of.name, slug: props.of.slug },
    validate: ({ name, slug }) => ({
      name: name.trim() === "" ? "Enter a name." : undefined,
      slug: slug.trim() === "" ? "Enter an address." : undefined,
    }),
    async submit({ name, slug }) {
      const changed = { name: name.trim(), slug: slug.trim() };
      await api.accounts.change.mutate(changed);
      if (changed.slug !== props.of.slug) {
        return openAccount({ kind: "organization", slug: changed.slug }, "/settings/organization");
      }
      await client.invalidateQueries({ queryKey: meKey });
      showToast("Saved");
    },
  });
  return (
    <Card title="Name and address">
      <FormFrame form={form}>
        <TextField {...form.field("name")} label="Name" maxlength={80} />
        <TextField
          {...form.field("slug")}
          label="Address"
          hint={`Pages are at /a/${form.values.slug}. Links with the former address keep working.`}
          maxlength={40}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          mono
        />
        <div>
          <SubmitButton form={form} pendingLabel="Saving…">
            Save changes
          </SubmitButton>
        </div>
      </FormFrame>
    </Card>
  );
}

function LeaveCard(props: { of: Account }): JSX.Element {
  const [asking, setAsking] = createSignal(false);
  const leave = useMutation(() => ({
    mutationFn: () => api.accounts.leave.mutate(),
    onSuccess: () => openAccount({ kind: "personal", slug: "" }),
  }));
  const name = () => props.of.name;
  return (
    <Card title={`Leave ${name()}`}>
      <p class="mb-4 text-muted">
        You lose access at once. API keys you made stay with the organization and keep working; its
        admins can revoke them.
      </p>
      <Button variant="danger" onClick={() => setAsking(true)}>
        Leave organization
      </Button>
      <AlertDialog
        open={asking()}
        onOpenChange={setAsking}
        title={`Leave ${name()}?`}
        confirmLabel="Leave organization"
        pendingLabel="Leaving…"
        pending={leave.isPending}
        destructive
        changes
        error={leave.isError ? describeFailure(readFailure(leave.error)) : undefined}
        onConfirm={() => leave.mutate()}
      >
        You lose access at once. API keys you made stay with the organization and keep working; its
        admins can revoke them.
      </AlertDialog>
    </Card>
  );
}

function CloseCard(props: { of: Account }): JSX.Element {
  const [asking, setAsking] = createSignal(false);
  const name = () => props.of.name;
  const close = useMutation(() => ({
    mutationFn: () => api.accounts.close.mutate({ name: name() }),
    onSuccess: () => openAccount({ kind: "personal", slug: "" }),
  }));
  return (
    <Card title={`Delete ${name()}`}>
      <p class="mb-2 text-muted">
        For everyone who belongs to it, at once. Its API keys stop working, and its name, members,
        domains and webhooks are deleted. The wallet must be empty.
      </p>
      <p class="mb-4 text-muted">
        What stays: payments and charges, without a name, because the books must add up; the audit
        log for 90 days, so that nobody can hide what they did; and its URL, so that nobody else
        gets its links.
      </p>
      <Button variant="danger" onClick={() => setAsking(true)}>
        Delete organization
      </Button>
      <AlertDialog
        open={asking()}
        onOpenChange={setAsking}
        title={`Delete ${name()}?`}
        confirmLabel="Delete organization"
        pendingLabel="Deleting…"
        pending={close.isPending}
        destructive
        changes
        typeToConfirm={{ label: "Type the name of the organization", text: name() }}
        error={close.isError ? describeFailure(readFailure(close.error)) : undefined}
        onConfirm={() => close.mutate()}
      >
        For everyone who belongs to it, at once. Its API keys stop working, and its name, members,
        domains and webhooks are deleted. The wallet must be empty.
      </AlertDialog>
    </Card>
  );
}
