// On which terms is this offered? The operator's terms, or privacy policy: their own Markdown.
import { useParams } from "@solidjs/router";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { useConfig } from "../../lib/session.ts";
import { useQuery } from "../../lib/use-query.ts";
import { NotFoundPage } from "../../shell/not-found-page.tsx";
import { usePageTitle } from "../../shell/page-title.tsx";
import { Markdown } from "../../ui/markdown/markdown.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
import { SkeletonRows } from "../../ui/states/skeleton.tsx";

const titles = { terms: "Terms", privacy: "Privacy" };

export default function LegalPage(): JSX.Element {
  const params = useParams<{ name: string }>();
  const config = useConfig();
  const name = () => (params.name === "privacy" ? "privacy" : "terms");
  usePageTitle(() => titles[name()]);
  const text = useQuery(() => ({
    queryKey: ["legal", name()],
    enabled: config.data?.[name()] === true,
    queryFn: ({ signal }) => loadText(`/legal/${name()}.md`, signal),
  }));
  return (
    <Show
      when={config.data?.[name()] !== false && params.name in titles}
      fallback={<NotFoundPage />}
    >
      <article class="max-w-3xl">
        <Loaded query={text} what="this page" skeleton={<SkeletonRows rows={12} />}>
          {(markdown) => <Markdown text={markdown()} topHeading={1} trusted />}
        </Loaded>
      </article>
    </Show>
  );
}

async function loadText(path: string, signal: AbortSignal): Promise<string> {
  const answer = await fetch(path, { signal });
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`);
  return answer.text();
}
