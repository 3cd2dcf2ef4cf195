// What can be set for me and for this account? The list of sections on phones, the first section elsewhere.
import { Navigate } from "@solidjs/router";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { usePhone } from "../../ui/layout/use-media.ts";
import { SettingsSections } from "./settings-frame.tsx";

export default function SettingsPage(): JSX.Element {
  const phone = usePhone();
  return (
    <Show when={phone()} fallback={<Navigate href="/settings/profile" />}>
      <SettingsSections />
    </Show>
  );
}
