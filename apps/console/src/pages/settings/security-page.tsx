// Settings: the password, the sessions, and what happened to both.
import type { JSX } from "solid-js";
import { EventsCard } from "./events-card.tsx";
import { PasswordCard } from "./password-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";
import { SettingsFrame } from "./settings-frame.tsx";

export default function SecurityPage(): JSX.Element {
  return (
    <SettingsFrame>
      <PasswordCard />
      <SessionsCard />
      <EventsCard />
    </SettingsFrame>
  );
}
