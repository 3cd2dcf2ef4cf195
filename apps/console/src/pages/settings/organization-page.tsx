// What holds for the whole organization? Its name and address, what it requires of its members, its limits, and its
// end.
import { useQueryClient } from "@tanstack/solid-query";
import { nameCharsMax, slugCharsMax } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { lazy, Show, Suspense } from "solid-js";
import { openAccount } from "../../lib/account-address.ts";
import { api } from "../../lib/api.ts";
import { type Account, meKey, useAccount, useConfig, useMay } from "../../lib/session.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { createRatesForm, RateFields, type RateLimits } from "../../product/limits/rate-limits.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { askQuestion } from "../../ui/dialogs/open-dialog.tsx";
import { createForm } from "../../ui/forms/create-form.ts";
import { FormFrame, SubmitButton } from "../../ui/forms/form.tsx";
import { TextField } from "../../ui/forms/text-field.tsx";
import { Asked } from "../../ui/layout/asked.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { showToast } from "../../ui/notices/toasts.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
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
              <EndingCard
                verb="Leave"
                of={organization()}
                text="You lose access at once. API keys you made stay with the organization and keep working; its admins can revoke them."
                pendingLabel="Leaving…"
                change={() => api.accounts.leave.mutate()}
              />
            </Asked>
            <Show when={mayClose()}>
              <Asked as="delete-organization">
                <EndingCard
                  verb="Delete"
                  of={organization()}
                  text="For everyone who belongs to it, at once. Its API keys stop working, and its name, members, domains and webhooks are deleted. The wallet must be empty."
                  note="What stays: payments and charges, without a name, because the books must add up; the audit log for 90 days, so that nobody can hide what they did; and its URL, so that nobody else gets its links."
                  pendingLabel="Deleting…"
                  change={() => api.accounts.close.mutate({ name: organization().name })}
                  typeToConfirm={{
                    label: "Type the name of the organization",
                    text: organization().name,
                  }}
                />
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
        <TextField {...form.field("name")} label="Name" maxlength={nameCharsMax.account} />
        <TextField
          {...form.field("slug")}
          label="Address"
          hint={`Pages are at /a/${form.values.slug}. Links with the former address keep working.`}
          maxlength={slugCharsMax}
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

type EndingCardProps = {
  verb: "Leave" | "Delete";
  of: Account;
  text: string;
  /** On the card, not in the question. */
  note?: string;
  pendingLabel: string;
  change: () => Promise<unknown>;
  typeToConfirm?: { label: string; text: string };
};

/** Leaving the organization, or deleting it for all: asked about, and then the personal account opens. */
function EndingCard(props: EndingCardProps): JSX.Element {
  const title = () => `${props.verb} ${props.of.name}`;
  const ask = () =>
    askQuestion({
      title: `${title()}?`,
      text: props.text,
      confirmLabel: `${props.verb} organization`,
      pendingLabel: props.pendingLabel,
      typeToConfirm: props.typeToConfirm,
      run: props.change,
      onDone: () => openAccount({ kind: "personal", slug: "" }),
    });
  return (
    <Card title={title()}>
      <p class="mb-2 text-muted">{props.text}</p>
      <p class="text-muted empty:hidden">{props.note}</p>
      <Button variant="danger" class="mt-2" onClick={ask}>
        {props.verb} organization
      </Button>
    </Card>
  );
}

const limitsKey = ["account", "limits"] as const;

/** How fast all calls of an account together may be made. */
function AccountLimitsCard(): JSX.Element {
  const query = useAnswer(limitsKey, (call) => api.accounts.limits.query(undefined, call));
  return (
    <Card
      title="Rate limits"
      description="For all requests of this organization together, beside the limits of its keys and projects. Leave a field empty for no limit."
    >
      <Loaded query={query} what="the rate limits">
        {(limits) => <LimitsForm limits={limits()} />}
      </Loaded>
    </Card>
  );
}

function LimitsForm(props: { limits: RateLimits }): JSX.Element {
  const form = createRatesForm(props.limits, (limits) => api.accounts.setLimits.mutate(limits), {
    refreshes: limitsKey,
    toast: "Saved",
  });
  return (
    <FormFrame form={form}>
      <RateFields form={form} />
      <SubmitButton form={form} label="Save limits" pendingLabel="Saving…" />
    </FormFrame>
  );
}
