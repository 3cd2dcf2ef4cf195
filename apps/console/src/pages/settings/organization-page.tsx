// Settings of an organization: its name, its address, and leaving it.
import { useMutation, useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createSignal, lazy, Show, Suspense } from "solid-js";
import { openAccount } from "../../lib/account-address.ts";
import { api } from "../../lib/api.ts";
import { describeFailure } from "../../lib/describe-failure.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { type Account, meKey, useAccount, useConfig, useMay } from "../../lib/session.ts";
import { t as shared } from "../../lib/texts.ts";
import { AlertDialog } from "../../ui/alert-dialog.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { createForm } from "../../ui/create-form.ts";
import { FormFrame, SubmitButton } from "../../ui/form.tsx";
import { LeaveGuard } from "../../ui/leave-guard.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { AccountLimitsCard } from "./account-limits-card.tsx";
import { ExportCard } from "./export-card.tsx";
import { NoOrganization } from "./no-organization.tsx";
import { RequireFactorsCard } from "./require-factors-card.tsx";
import { SettingsFrame } from "./settings-frame.tsx";
import { t } from "./team-texts.ts";

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
              <NameCard of={organization()} />
              <RequireFactorsCard of={organization()} />
              <AccountLimitsCard />
            </Show>
            <Show when={mayChange() && config.data?.signInProviders.length}>
              <Suspense>
                <DomainsCard />
              </Suspense>
            </Show>
            <Show when={mayClose()}>
              <ExportCard of="account" />
            </Show>
            <LeaveCard of={organization()} />
            <Show when={mayClose()}>
              <CloseCard of={organization()} />
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
      name: name.trim() === "" ? t("organization.nameMissing") : undefined,
      slug: slug.trim() === "" ? t("organization.slugMissing") : undefined,
    }),
    async submit({ name, slug }) {
      const changed = { name: name.trim(), slug: slug.trim() };
      await api.accounts.change.mutate(changed);
      if (changed.slug !== props.of.slug) {
        return openAccount({ kind: "organization", slug: changed.slug }, "/settings/organization");
      }
      await client.invalidateQueries({ queryKey: meKey });
      showToast(shared("state.saved"));
    },
  });
  return (
    <Card title={t("organization.title")}>
      <LeaveGuard form={form} />
      <FormFrame form={form}>
        <TextField {...form.field("name")} label={t("organization.name")} maxlength={80} />
        <TextField
          {...form.field("slug")}
          label={t("organization.slug")}
          hint={t("organization.slugHint", { slug: form.values.slug })}
          maxlength={40}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          mono
        />
        <div>
          <SubmitButton form={form} pendingLabel={shared("action.saving")}>
            {t("organization.save")}
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
    <Card title={t("organization.leaveTitle", { name: name() })}>
      <p class="mb-4 text-muted">{t("organization.leaveHint")}</p>
      <Button variant="danger" onClick={() => setAsking(true)}>
        {t("organization.leave")}
      </Button>
      <AlertDialog
        open={asking()}
        onOpenChange={setAsking}
        title={t("organization.leaveAsk", { name: name() })}
        confirmLabel={t("organization.leave")}
        pendingLabel={t("organization.leaving")}
        pending={leave.isPending}
        destructive
        changes
        error={leave.isError ? describeFailure(readFailure(leave.error)) : undefined}
        onConfirm={() => leave.mutate()}
      >
        {t("organization.leaveHint")}
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
    <Card title={t("organization.closeTitle", { name: name() })}>
      <p class="mb-2 text-muted">{t("organization.closeHint")}</p>
      <p class="mb-4 text-muted">{t("organization.closeKept")}</p>
      <Button variant="danger" onClick={() => setAsking(true)}>
        {t("organization.close")}
      </Button>
      <AlertDialog
        open={asking()}
        onOpenChange={setAsking}
        title={t("organization.closeAsk", { name: name() })}
        confirmLabel={t("organization.close")}
        pendingLabel={t("organization.closing")}
        pending={close.isPending}
        destructive
        changes
        typeToConfirm={{ label: t("organization.closeType"), text: name() }}
        error={close.isError ? describeFailure(readFailure(close.error)) : undefined}
        onConfirm={() => close.mutate()}
      >
        {t("organization.closeHint")}
      </AlertDialog>
    </Card>
  );
}
