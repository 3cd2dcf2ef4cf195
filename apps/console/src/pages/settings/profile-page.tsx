// Settings: name, time zone, theme, and email address.
import { useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { browserTimeZone } from "../../lib/format.ts";
import { meKey, useMe } from "../../lib/session.ts";
import { t as shared } from "../../lib/texts.ts";
import { readTheme, setTheme } from "../../lib/theme.ts";
import { t as shell } from "../../shell/texts.ts";
import { Card } from "../../ui/card.tsx";
import { RadioCards, Select } from "../../ui/choices.tsx";
import { createForm } from "../../ui/create-form.ts";
import { FormFrame, SubmitButton } from "../../ui/form.tsx";
import { LeaveGuard } from "../../ui/leave-guard.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { EmailCard } from "./email-card.tsx";
import { SettingsFrame } from "./settings-frame.tsx";
import { t } from "./texts.ts";

export default function ProfilePage(): JSX.Element {
  const me = useMe();
  return (
    <SettingsFrame>
      <Show when={me.data}>
        {(data) => (
          <>
            <AboutCard person={data().person} />
            <EmailCard email={data().person.email} />
            <ThemeCard />
          </>
        )}
      </Show>
    </SettingsFrame>
  );
}

const nameCharactersMost = 100;
type Person = { name: string | null; timeZone: string | null };

function AboutCard(props: { person: Person }): JSX.Element {
  const client = useQueryClient();
  const form = createForm({
    initial: { name: props.person.name ?? "", timeZone: props.person.timeZone ?? "" },
    draft: "profile",
    validate: ({ name }) => ({
      name: name.trim().length > nameCharactersMost ? t("profile.nameLong") : undefined,
    }),
    async submit({ name, timeZone }) {
      await api.profile.update.mutate({ name: name.trim(), timeZone });
      await client.invalidateQueries({ queryKey: meKey });
      showToast(shared("state.saved"));
    },
  });
  const zones = [
    { value: "", label: t("profile.browserZone", { zone: browserTimeZone() }) },
    ...["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")].map(
      (zone) => ({ value: zone, label: zone.replaceAll("_", " ") }),
    ),
  ];
  return (
    <Card title={t("profile.title")}>
      <LeaveGuard form={form} />
      <FormFrame form={form}>
        <TextField
          {...form.field("name")}
          label={t("profile.name")}
          hint={t("profile.nameHint")}
          autocomplete="name"
          optional
        />
        <Select
          label={t("profile.timeZone")}
          hint={t("profile.timeZoneHint")}
          name="timeZone"
          value={form.values.timeZone}
          error={form.errors.timeZone}
          onChange={(zone) => form.set("timeZone", zone)}
          choices={zones}
        />
        <div>
          <SubmitButton form={form} pendingLabel={shared("action.saving")}>
            {t("profile.save")}
          </SubmitButton>
        </div>
      </FormFrame>
    </Card>
  );
}

function ThemeCard(): JSX.Element {
  const [theme, choose] = createSignal(readTheme());
  return (
    <Card title={t("profile.theme")} description={t("profile.themeHint")}>
      <RadioCards
        legend={t("profile.theme")}
        hideLegend
        name="theme"
        value={theme()}
        onChange={(chosen) => {
          choose(chosen);
          setTheme(chosen);
        }}
        choices={[
          { value: "system", label: shell("shell.system") },
          { value: "light", label: shell("shell.light") },
          { value: "dark", label: shell("shell.dark") },
        ]}
      />
    </Card>
  );
}
