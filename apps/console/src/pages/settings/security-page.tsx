// Settings: the password, and where it is in use.
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
