// The projects of the account, each with whether its prompts and answers are stored.
import type { JSX } from "solid-js";
import { For } from "solid-js";
import { Card } from "../../ui/card.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { useProjects } from "../shared/use-projects.ts";
import { PromptStorage } from "./prompt-storage.tsx";
import { t } from "./prompt-texts.ts";

export function PromptsCard(): JSX.Element {
  const query = useProjects();
  return (
    <Card title={t("storage.title")} description={t("storage.description")}>
      <Loaded query={query} what={t("storage.what")}>
        {(projects) => (
          <div class="flex flex-col gap-6">
            <For each={projects().filter(({ archivedAt }) => archivedAt === null)}>
              {(project) => <PromptStorage of={project} />}
            </For>
          </div>
        )}
      </Loaded>
    </Card>
  );
}
