// Which calls may the account and its projects make?
import { useSearchParams } from "@solidjs/router";
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { useAccount } from "../../lib/session.ts";
import GuardrailCard from "../../product/guardrails/guardrail-card.tsx";
import { useProjects } from "../../product/projects/use-projects.ts";
import { SettingsFrame } from "./settings-frame.tsx";

export default function GuardrailsPage(): JSX.Element {
  const account = useAccount();
  const projects = useProjects();
  // Logs link to the guardrail that refused a call.
  const [search] = useSearchParams<{ id?: string }>();
  const open = () => (projects.data ?? []).filter(({ archivedAt }) => archivedAt === null);
  return (
    <SettingsFrame>
      <Show when={account()?.id} keyed>
        {(id) => <GuardrailCard kind="account" subjectId={id} isTarget={search.id === id} />}
      </Show>
      <For each={open()}>
        {({ id, name }) => (
          <GuardrailCard kind="project" subjectId={id} name={name} isTarget={search.id === id} />
        )}
      </For>
    </SettingsFrame>
  );
}
