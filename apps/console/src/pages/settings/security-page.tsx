// Settings: the password, second factors, identities elsewhere, the sessions, what happened to them, and the
// person's data.
import type { JSX } from "solid-js";
import { lazy, Show, Suspense } from "solid-js";
import { useConfig } from "../../lib/session.ts";
import { EventsCard } from "./events-card.tsx";
import { ExportCard } from "./export-card.tsx";
import { FactorsCard } from "./factors-card.tsx";
import { PasswordCard } from "./password-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";
import { SettingsFrame } from "./settings-frame.tsx";

const IdentitiesCard = lazy(() => import("./identities-card.tsx"));

const DeletionCard = lazy(() => import("./deletion-card.tsx"));

export default function SecurityPage(): JSX.Element {
  const config = useConfig();
  return (
    <SettingsFrame>
      <PasswordCard />
      <FactorsCard />
      <Show when={config.data?.signInProviders.length}>
        <Suspense>
          <IdentitiesCard />
        </Suspense>
      </Show>
      <SessionsCard />
      <EventsCard />
      <ExportCard of="person" />
      <Suspense>
        <DeletionCard />
      </Suspense>
    </SettingsFrame>
  );
}
