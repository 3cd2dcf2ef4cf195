// How do I call the API? Contents and search at the side, one page of Markdown, its snippets filled in for this
// instance.
import { A, useParams } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createMemo, lazy, onMount, Show } from "solid-js";
import { type DocId, docs, docTitle, findDoc } from "../../lib/docs/doc-list.ts";
import { loadOnce } from "../../lib/load-once.ts";
import { useModels } from "../../lib/queries.ts";
import { useConfig, useMay, useProductName } from "../../lib/session.ts";
import { useQuery } from "../../lib/use-query.ts";
import { NotFoundPage } from "../../shell/not-found-page.tsx";
import { usePageTitle } from "../../shell/page-title.tsx";
import { CopyButton } from "../../ui/buttons/copy-button.tsx";
import { CodeSnippet } from "../../ui/code/code-snippet.tsx";
import { Markdown } from "../../ui/markdown/markdown.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
import { SkeletonRows } from "../../ui/states/skeleton.tsx";
import { chooseModels, type DocFacts } from "./doc-facts.ts";
import { DocsContents } from "./docs-contents.tsx";
import { loadContent } from "./load-content.ts";

const loadFill = loadOnce(() => import("./fill-page.ts"));
const Reference = lazy(() => import("./reference.tsx"));

export default function DocsPage(): JSX.Element {
  const params = useParams<{ page?: string }>();
  const doc = createMemo(() => findDoc(params.page));
  usePageTitle(() => {
    const id = doc();
    return id === undefined ? undefined : docTitle(id);
  });
  return (
    <Show when={doc()} fallback={<NotFoundPage />}>
      {(id) => (
        <div class="grid gap-6 lg:grid-cols-[13rem_minmax(0,1fr)] lg:gap-10">
          <DocsContents current={id()} />
          <article class="max-w-3xl min-w-0">
            <Page id={id()} />
          </article>
        </div>
      )}
    </Show>
  );
}

function Page(props: { id: DocId }): JSX.Element {
  const facts = useDocFacts();
  const content = useQuery(() => ({
    queryKey: ["docs", props.id],
    queryFn: () => loadPage(props.id),
    staleTime: Number.POSITIVE_INFINITY,
  }));
  return (
    <Show when={facts()} fallback={<SkeletonRows rows={12} />}>
      {(known) => (
        <Loaded query={content} what="this page" skeleton={<SkeletonRows rows={12} />}>
          {(page) => (
            <>
              <Filled {...page()} facts={known()} />
              <Show when={props.id === "reference"}>
                <Reference facts={known()} />
              </Show>
              <div class="mt-8 flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-border pt-4">
                <CopyButton
                  text={page().fillMarkdown(page().text, known())}
                  label="Copy as Markdown"
                />
                <a href={`/docs/${props.id}.md`} rel="external" class="link text-sm">
                  View as Markdown
                </a>
              </div>
              <Around id={props.id} />
            </>
          )}
        </Loaded>
      )}
    </Show>
  );
}

/** With what fills it in, which weighs as much. */
async function loadPage(id: DocId) {
  const [text, fill] = await Promise.all([loadContent(id), loadFill()]);
  const { docSnippets, fillFacts, fillMarkdown } = fill;
  return { text, docSnippets, fillFacts, fillMarkdown };
}

type FilledProps = Awaited<ReturnType<typeof loadPage>> & { facts: DocFacts };

function Filled(props: FilledProps): JSX.Element {
  const groups = createMemo(() => props.docSnippets(props.facts));
  const mayCreate = useMay("keys.change");
  // The browser looked for the section before there was one.
  onMount(() => document.getElementById(location.hash.slice(1))?.scrollIntoView());
  const fence = (info: string) => {
    const snippets = groups()[/^snippet ([\w-]+)$/.exec(info)?.[1] ?? ""];
    return (
      snippets && (
        <>
          <CodeSnippet snippets={snippets} />
          <Show when={info === "snippet key" && mayCreate()}>
            <A href="/keys?do=create-key" class="link -mt-1 w-fit text-sm">
              Insert your key
            </A>
          </Show>
        </>
      )
    );
  };
  return (
    <Markdown
      text={props.fillFacts(props.text, props.facts)}
      topHeading={1}
      trusted
      fence={fence}
    />
  );
}

/** With models of this instance where it offers some, so that snippets run as pasted. */
function useDocFacts(): () => DocFacts | undefined {
  const config = useConfig();
  const models = useModels();
  const product = useProductName();
  return () => {
    if (config.data === undefined || models.isPending) return undefined;
    const { apiBaseUrl: baseUrl } = config.data;
    return { baseUrl, product: product(), ...chooseModels(models.data ?? []) };
  };
}

function Around(props: { id: DocId }): JSX.Element {
  const neighbor = (step: number) => docs[docs.findIndex(({ id }) => id === props.id) + step];
  return (
    <nav aria-label="Previous and next page" class="mt-6 flex flex-wrap justify-between gap-3">
      <Show when={neighbor(-1)} fallback={<span />}>
        {(doc) => (
          <A href={doc().href} class="link">
            Previous: {doc().title}
          </A>
        )}
      </Show>
      <Show when={neighbor(1)}>
        {(doc) => (
          <A href={doc().href} class="link">
            Next: {doc().title}
          </A>
        )}
      </Show>
    </nav>
  );
}
