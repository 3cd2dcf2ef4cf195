// Settings: the password, second factors, the sessions, and what happened to them.
import type { JSX } from "solid-js";
import { EventsCard } from "./events-card.tsx";
import { FactorsCard } from "./factors-card.tsx";
import { PasswordCard } from "./password-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";
import { SettingsFrame } from "./settings-frame.tsx";

export default function SecurityPage(): JSX.Element {
  return (
    <SettingsFrame>
      <PasswordCard />
      <FactorsCard />
      <SessionsCard />
      <EventsCard />
    </SettingsFrame>
  );
}
