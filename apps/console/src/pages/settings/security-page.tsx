// Settings: the password and the sessions.
import type { JSX } from "solid-js";
import { PasswordCard } from "./password-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";
import { SettingsFrame } from "./settings-frame.tsx";

export default function SecurityPage(): JSX.Element {
  return (
    <SettingsFrame>
      <PasswordCard />
      <SessionsCard />
    </SettingsFrame>
  );
}
