// Settings: which calls the account and its projects may make.
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { useAccount } from "../../lib/session.ts";
import { GuardrailCard } from "../shared/guardrails/guardrail-card.tsx";
import { useProjects } from "../shared/use-projects.ts";
import { SettingsFrame } from "./settings-frame.tsx";

export default function GuardrailsPage(): JSX.Element {
  const account = useAccount();
  const projects = useProjects();
  const open = () => (projects.data ?? []).filter(({ archivedAt }) => archivedAt === null);
  return (
    <SettingsFrame>
      <Show when={account()?.id} keyed>
        {(id) => <GuardrailCard kind="account" subjectId={id} />}
      </Show>
      <For each={open()}>
        {({ id, name }) => <GuardrailCard kind="project" subjectId={id} name={name} />}
      </For>
    </SettingsFrame>
  );
}
