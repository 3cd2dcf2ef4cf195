// Tells every member which projects store what is asked and answered.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { Banner } from "../../ui/banner.tsx";
import { useProjects } from "../shared/use-projects.ts";
import { t } from "./texts.ts";

export function StoredNotice(): JSX.Element {
  const query = useProjects();
  const names = () =>
    (query.data ?? []).filter(({ promptDays }) => promptDays !== null).map(({ name }) => name);
  return (
    <Show when={names().length > 0}>
      <Banner tone="neutral">
        {t("prompt.on", { count: names().length, names: names().join(", ") })}
      </Banner>
    </Show>
  );
}
