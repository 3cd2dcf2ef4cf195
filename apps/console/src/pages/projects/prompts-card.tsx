// The projects of the account, each with whether its prompts and answers are stored.
import type { JSX } from "solid-js";
import { For } from "solid-js";
import { Card } from "../../ui/card.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { useProjects } from "../shared/use-projects.ts";
import { PromptStorage } from "./prompt-storage.tsx";

export function PromptsCard(): JSX.Element {
  const query = useProjects();
  return (
    <Card
      title="Prompts and answers"
      description="Not stored, unless you switch it on for a project: then Logs show what was asked and answered to owners and admins, and to developers for their own keys. It is encrypted at rest, and every member sees that it is on."
    >
      <Loaded query={query} what="the projects">
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
