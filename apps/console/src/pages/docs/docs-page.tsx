// The docs: contents at the side, one page of Markdown, its snippets filled in for this instance.
import { A, useParams } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createMemo, createSignal, For, Show } from "solid-js";
import { type DocId, docGroups, docIds, docTitle, findDoc } from "../../lib/docs/doc-list.ts";
import { chatModelsOf, useModels } from "../../lib/queries.ts";
import { useConfig, useProductName, useSignedIn } from "../../lib/session.ts";
import { NotFoundPage } from "../../shell/not-found-page.tsx";
import { usePageTitle } from "../../shell/page-title.tsx";
import { CodeSnippet } from "../../ui/code-snippet.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Markdown } from "../../ui/markdown/markdown.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { useMedia } from "../../ui/use-media.ts";
import { contents } from "./contents.ts";
import type { DocFacts } from "./doc-facts.ts";
import { fillFacts, fillMarkdown } from "./fill-page.ts";
import { docSnippets } from "./snippets.ts";
import { t } from "./texts.ts";

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
          <Contents current={id()} />
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
  return (
    <Show when={facts()} fallback={<SkeletonRows rows={12} />}>
      {(known) => (
        <>
          <Filled id={props.id} facts={known()} />
          <div class="mt-8 flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-border pt-4">
            <CopyButton
              text={fillMarkdown(contents[props.id], known())}
              label={t("docs.copyMarkdown")}
            />
            <a href={`/docs/${props.id}.md`} rel="external" class="link text-sm">
              {t("docs.viewMarkdown")}
            </a>
          </div>
          <Around id={props.id} />
        </>
      )}
    </Show>
  );
}

function Filled(props: { id: DocId; facts: DocFacts }): JSX.Element {
  const groups = createMemo(() => docSnippets(props.facts));
  const signedIn = useSignedIn();
  const fence = (info: string) => {
    const snippets = groups()[/^snippet ([\w-]+)$/.exec(info)?.[1] ?? ""];
    return (
      snippets && (
        <>
          <CodeSnippet snippets={snippets} />
          <Show when={info === "snippet key" && signedIn()}>
            <A href="/keys?create=1" class="link -mt-1 w-fit text-sm">
              {t("docs.insertKey")}
            </A>
          </Show>
        </>
      )
    );
  };
  return (
    <Markdown
      text={fillFacts(contents[props.id], props.facts)}
      topHeading={1}
      trusted
      fence={fence}
    />
  );
}

/** With models of this instance if it has any, so that snippets run as pasted. */
function useDocFacts(): () => DocFacts | undefined {
  const config = useConfig();
  const models = useModels();
  const product = useProductName();
  return () => {
    if (config.data === undefined || models.isPending) return undefined;
    const all = chatModelsOf(models.data);
    const model = all[0]?.id ?? "provider/model";
    const toolsModel = all.find((one) => one.capabilities.includes("tools"))?.id ?? model;
    return { baseUrl: config.data.apiBaseUrl, model, toolsModel, product: product() };
  };
}

function Contents(props: { current: DocId }): JSX.Element {
  const wide = useMedia("(width >= 64rem)");
  const [open, setOpen] = createSignal(false);
  return (
    <Show
      when={wide()}
      fallback={
        <details
          class="rounded-card border border-border"
          open={open()}
          onToggle={(event) => setOpen(event.currentTarget.open)}
        >
          <summary class="px-4 py-2.5 font-medium">{t("docs.contents")}</summary>
          <div class="border-t border-border p-4">
            <ContentsList current={props.current} onChoose={() => setOpen(false)} />
          </div>
        </details>
      }
    >
      <div class="sticky top-20 max-h-[calc(100dvh-6rem)] self-start overflow-y-auto">
        <ContentsList current={props.current} />
      </div>
    </Show>
  );
}

function ContentsList(props: { current: DocId; onChoose?: () => void }): JSX.Element {
  const [typed, setTyped] = createSignal("");
  const found = createMemo(() => {
    const words = typed().trim().toLowerCase();
    return docGroups
      .map((group) => ({
        ...group,
        docs: group.docs.filter((doc) =>
          `${doc.title}\n${contents[doc.id]}`.toLowerCase().includes(words),
        ),
      }))
      .filter((group) => group.docs.length > 0);
  });
  return (
    <nav aria-label={t("docs.contents")} class="flex flex-col gap-4 p-0.5">
      <input
        type="search"
        aria-label={t("docs.search")}
        placeholder={t("docs.search")}
        data-page-search=""
        class="field h-8! text-sm!"
        value={typed()}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <p role="status" class="text-sm text-muted empty:hidden">
        {found().length === 0 ? t("docs.none") : ""}
      </p>
      <For each={found()}>
        {(group) => (
          <div>
            <h2 class="px-2.5 pb-1 text-xs font-medium text-muted">{group.title}</h2>
            <ul class="flex flex-col gap-0.5">
              <For each={group.docs}>
                {(doc) => (
                  <li>
                    <A
                      href={doc.href}
                      end
                      activeClass=""
                      inactiveClass=""
                      aria-current={doc.id === props.current ? "page" : undefined}
                      class="flex min-h-8 items-center rounded-control px-2.5 text-sm text-muted transition-colors hover:bg-hover hover:text-text aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-text pointer-coarse:min-h-11"
                      onClick={() => props.onChoose?.()}
                    >
                      {doc.title}
                    </A>
                  </li>
                )}
              </For>
            </ul>
          </div>
        )}
      </For>
    </nav>
  );
}

function Around(props: { id: DocId }): JSX.Element {
  const neighbour = (step: number) => {
    const id = docIds[docIds.indexOf(props.id) + step];
    return docGroups.flatMap((group) => group.docs).find((doc) => doc.id === id);
  };
  return (
    <nav aria-label={t("docs.around")} class="mt-6 flex flex-wrap justify-between gap-3">
      <Show when={neighbour(-1)} fallback={<span />}>
        {(doc) => (
          <A href={doc().href} class="link">
            {t("docs.previous", { title: doc().title })}
          </A>
        )}
      </Show>
      <Show when={neighbour(1)}>
        {(doc) => (
          <A href={doc().href} class="link">
            {t("docs.next", { title: doc().title })}
          </A>
        )}
      </Show>
    </nav>
  );
}
