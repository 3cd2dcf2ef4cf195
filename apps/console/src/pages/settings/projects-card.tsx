// A card with a setting of each project of the account that is not archived.
import type { JSX } from "solid-js";
import { For } from "solid-js";
import { type Project, useProjects } from "../../product/projects/use-projects.ts";
import { Card } from "../../ui/layout/card.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";

type ProjectsCardProps = {
  title: string;
  description: string;
  children: (project: Project) => JSX.Element;
};

export function ProjectsCard(props: ProjectsCardProps): JSX.Element {
  const query = useProjects();
  return (
    <Card title={props.title} description={props.description}>
      <Loaded query={query} what="the projects">
        {(projects) => (
          <div class="flex flex-col gap-6">
            <For each={projects().filter(({ archivedAt }) => archivedAt === null)}>
              {(project) => props.children(project)}
            </For>
          </div>
        )}
      </Loaded>
    </Card>
  );
}

/** The name of a project and the control of its setting, which has the name in its label. */
export function ProjectSetting(props: { of: Project; children: JSX.Element }): JSX.Element {
  return (
    <div class="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <span class="min-w-0 break-words font-medium" aria-hidden="true">
        {props.of.name}
      </span>
      <div class="w-full sm:w-64">{props.children}</div>
    </div>
  );
}
