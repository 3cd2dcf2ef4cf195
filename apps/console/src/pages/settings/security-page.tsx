// Who can sign in as me? The password, second factors, identities elsewhere, the sessions, and what happened to them.
import type { JSX } from "solid-js";
import { lazy, Show, Suspense } from "solid-js";
import { useConfig } from "../../lib/session.ts";
import { Asked } from "../../ui/asked.tsx";
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
      <Asked as="change-password">
        <PasswordCard />
      </Asked>
      <FactorsCard />
      <Show when={config.data?.signInProviders.length}>
        <Suspense>
          <IdentitiesCard />
        </Suspense>
      </Show>
      <SessionsCard />
      <EventsCard />
      <Asked as="download-data">
        <ExportCard of="person" />
      </Asked>
      <Asked as="delete-account">
        <Suspense>
          <DeletionCard />
        </Suspense>
      </Asked>
    </SettingsFrame>
  );
}
