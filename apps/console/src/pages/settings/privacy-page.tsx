// What is stored of our prompts and answers? For each project of the account.
import type { JSX } from "solid-js";
import { Asked } from "../../ui/layout/asked.tsx";
import { PromptsCard } from "./prompts-card.tsx";
import { SettingsFrame } from "./settings-frame.tsx";

export default function PrivacyPage(): JSX.Element {
  return (
    <SettingsFrame>
      <Asked as="store-prompts">
        <PromptsCard />
      </Asked>
    </SettingsFrame>
  );
}
