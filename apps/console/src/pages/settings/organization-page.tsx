// Settings of an organization: its name, its address, and leaving it.
import { useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createSignal, lazy, Show, Suspense } from "solid-js";
import { openAccount } from "../../lib/account-address.ts";
import { api } from "../../lib/api.ts";
import { type Account, meKey, useAccount, useConfig, useMay } from "../../lib/session.ts";
import { Asked } from "../../ui/asked.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
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
        <SubmitButton form={form} label="Save changes" pendingLabel="Saving…" />
      </FormFrame>
    </Card>
  );
}

function LeaveCard(props: { of: Account }): JSX.Element {
  const [asking, setAsking] = createSignal(false);
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
      <ConfirmDialog
        of={asking()}
        onClose={() => setAsking(false)}
        title={`Leave ${name()}?`}
        confirmLabel="Leave organization"
        pendingLabel="Leaving…"
        change={() => api.accounts.leave.mutate()}
        onDone={() => openAccount({ kind: "personal", slug: "" })}
      >
        You lose access at once. API keys you made stay with the organization and keep working; its
        admins can revoke them.
      </ConfirmDialog>
    </Card>
  );
}

function CloseCard(props: { of: Account }): JSX.Element {
  const [asking, setAsking] = createSignal(false);
  const name = () => props.of.name;
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
      <ConfirmDialog
        of={asking()}
        onClose={() => setAsking(false)}
        title={`Delete ${name()}?`}
        confirmLabel="Delete organization"
        pendingLabel="Deleting…"
        change={() => api.accounts.close.mutate({ name: name() })}
        onDone={() => openAccount({ kind: "personal", slug: "" })}
        typeToConfirm={{ label: "Type the name of the organization", text: name() }}
      >
        For everyone who belongs to it, at once. Its API keys stop working, and its name, members,
        domains and webhooks are deleted. The wallet must be empty.
      </ConfirmDialog>
    </Card>
  );
}
