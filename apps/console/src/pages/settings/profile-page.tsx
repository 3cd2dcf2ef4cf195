// Who am I here? Name, time zone, theme, email address, what is stored about me, and deleting it.

import { nameCharsMax } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { createSignal, lazy, Show, Suspense } from "solid-js";
import { api } from "../../lib/api.ts";
import { browserTimeZone } from "../../lib/format.ts";
import { meKey, useMe } from "../../lib/session.ts";
import { readTheme, setTheme } from "../../lib/theme.ts";
import { choicesOf, RadioCards, Select } from "../../ui/forms/choices.tsx";
import { createForm } from "../../ui/forms/create-form.ts";
import { FormFrame, SubmitButton } from "../../ui/forms/form.tsx";
import { TextField } from "../../ui/forms/text-field.tsx";
import { Asked } from "../../ui/layout/asked.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { EmailCard } from "./email-card.tsx";
import { ExportCard } from "./export-card.tsx";
import { SettingsFrame } from "./settings-frame.tsx";

const DeletionCard = lazy(() => import("./deletion-card.tsx"));

export default function ProfilePage(): JSX.Element {
  const me = useMe();
  return (
    <SettingsFrame>
      <Show when={me.data}>
        {(data) => (
          <>
            <Asked as="change-profile">
              <AboutCard person={data().person} />
            </Asked>
            <Asked as="change-email">
              <EmailCard email={data().person.email} />
            </Asked>
            <ThemeCard />
            <Asked as="download-data">
              <ExportCard of="person" />
            </Asked>
            <Asked as="delete-account">
              <Suspense>
                <DeletionCard />
              </Suspense>
            </Asked>
          </>
        )}
      </Show>
    </SettingsFrame>
  );
}

type Person = { name: string | null; timeZone: string | null };

function AboutCard(props: { person: Person }): JSX.Element {
  const form = createForm({
    initial: { name: props.person.name ?? "", timeZone: props.person.timeZone ?? "" },
    draft: "profile",
    validate: ({ name }) => ({
      name:
        name.trim().length > nameCharsMax.person
          ? `Use at most ${nameCharsMax.person} characters.`
          : undefined,
    }),
    submit: ({ name, timeZone }) => api.profile.update.mutate({ name: name.trim(), timeZone }),
    refreshes: meKey,
    toast: "Saved",
  });
  const zones = [
    { value: "", label: `This browser's: ${browserTimeZone()}` },
    ...["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")].map(
      (zone) => ({ value: zone, label: zone.replaceAll("_", " ") }),
    ),
  ];
  return (
    <Card title="Profile">
      <FormFrame form={form}>
        <TextField
          {...form.field("name")}
          label="Name"
          hint="Shown in the account menu."
          autocomplete="name"
          optional
        />
        <Select
          label="Time zone"
          hint="Used for days in charts and lists."
          name="timeZone"
          value={form.values.timeZone}
          error={form.errors.timeZone}
          onChange={(zone) => form.set("timeZone", zone)}
          choices={zones}
        />
        <SubmitButton form={form} label="Save changes" pendingLabel="Saving…" />
      </FormFrame>
    </Card>
  );
}

function ThemeCard(): JSX.Element {
  const [theme, choose] = createSignal(readTheme());
  return (
    <Card title="Theme" description="Applies to this browser.">
      <RadioCards
        legend="Theme"
        hideLegend
        name="theme"
        value={theme()}
        onChange={(chosen) => {
          choose(chosen);
          setTheme(chosen);
        }}
        choices={choicesOf({ system: "System", light: "Light", dark: "Dark" })}
      />
    </Card>
  );
}
