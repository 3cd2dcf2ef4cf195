// What is stored of our prompts, answers and responses? For each project of the account.
import type { JSX } from "solid-js";
import { Asked } from "../../ui/layout/asked.tsx";
import { PromptsCard } from "./prompts-card.tsx";
import { ResponsesCard } from "./responses-card.tsx";
import { SettingsFrame } from "./settings-frame.tsx";

export default function PrivacyPage(): JSX.Element {
  return (
    <SettingsFrame>
      <Asked as="store-prompts">
        <PromptsCard />
      </Asked>
      <ResponsesCard />
    </SettingsFrame>
  );
}
