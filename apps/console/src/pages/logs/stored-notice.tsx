// Tells every member which projects store what is asked and answered.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { plural } from "../../lib/plural.ts";
import { useProjects } from "../../product/projects/use-projects.ts";
import { Banner } from "../../ui/notices/banner.tsx";

export function StoredNotice(): JSX.Element {
  const query = useProjects();
  const names = () =>
    (query.data ?? []).filter(({ promptDays }) => promptDays !== null).map(({ name }) => name);
  return (
    <Show when={names().length > 0}>
      <Banner tone="neutral">
        Prompts and answers of {plural(names().length, "", "the projects ")}
        {names().join(", ")} are stored. Owners and admins see all of them, developers those of
        their own keys.
      </Banner>
    </Show>
  );
}
