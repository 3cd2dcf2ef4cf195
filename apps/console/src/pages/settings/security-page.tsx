// Who can sign in as me? The password, second factors, identities elsewhere, the sessions, and what happened to them.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { lazy, Show, Suspense } from "solid-js";
import { useConfig } from "../../lib/session.ts";
import { Asked } from "../../ui/layout/asked.tsx";
import { EventsCard } from "./events-card.tsx";
import { FactorsCard } from "./factors-card.tsx";
import { PasswordCard } from "./password-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";
import { SettingsFrame } from "./settings-frame.tsx";

const IdentitiesCard = lazy(() => import("./identities-card.tsx"));

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
      <p class="text-sm text-muted">
        Download your data or delete your account in{" "}
        <A href="/settings/profile" class="link">
          Profile
        </A>
        .
      </p>
    </SettingsFrame>
  );
}
