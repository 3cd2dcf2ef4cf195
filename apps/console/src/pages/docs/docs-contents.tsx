// The side of the docs: a search over every section and endpoint, and the pages in their groups.
import { A, useNavigate } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createMemo, createSignal, For, Show } from "solid-js";
import { type DocId, docGroups } from "../../lib/docs/doc-list.ts";
import { useQuery } from "../../lib/use-query.ts";
import { PageSearch } from "../../ui/forms/text-field.tsx";

type ContentsProps = { current: DocId };

export function DocsContents(props: ContentsProps): JSX.Element {
  const [typed, setTyped] = createSignal("");
  return (
    <div class="flex flex-col gap-4 self-start p-1 lg:sticky lg:top-20 lg:max-h-[calc(100dvh-6rem)] lg:overflow-y-auto">
      <Search typed={typed()} onType={setTyped} />
      <Show when={typed().trim() === ""}>
        <Pages current={props.current} />
      </Show>
    </div>
  );
}

type SearchProps = { typed: string; onType: (typed: string) => void };

function Search(props: SearchProps): JSX.Element {
  const navigate = useNavigate();
  const isOn = () => props.typed.trim() !== "";
  const search = useQuery(() => ({
    queryKey: ["docs", "search"],
    queryFn: async () => (await import("./load-search.ts")).loadSearch(),
    enabled: isOn(),
    staleTime: Number.POSITIVE_INFINITY,
  }));
  const found = createMemo(() => (isOn() ? search.data?.(props.typed) : undefined));
  const says = () => {
    if (search.isError) return "The search could not be loaded.";
    return found()?.length === 0 ? "Nothing found." : "";
  };
  const openFirst = (event: SubmitEvent) => {
    event.preventDefault();
    const first = found()?.[0];
    if (first === undefined) return;
    navigate(first.href);
    props.onType("");
  };
  return (
    <search>
      <form onSubmit={openFirst}>
        <PageSearch label="Search the docs" value={props.typed} onInput={props.onType} />
      </form>
      <p role="status" class="mt-2 text-sm text-muted empty:hidden">
        {says()}
      </p>
      <ul class="mt-2 flex flex-col gap-0.5 empty:hidden" aria-label="Search results">
        <For each={found()}>
          {(result) => (
            <li>
              <A
                href={result.href}
                class="block rounded-control px-2.5 py-1.5 text-sm wrap-anywhere transition-colors hover:bg-hover"
                onClick={() => props.onType("")}
              >
                <span class="block font-medium">{result.title}</span>
                <Show when={result.page !== result.title}>
                  <span class="block text-xs text-muted">{result.page}</span>
                </Show>
                <span class="block text-xs text-muted">{result.excerpt}</span>
              </A>
            </li>
          )}
        </For>
      </ul>
    </search>
  );
}

/** Both are in the drawn page, which does not know how wide its screen is. */
function Pages(props: ContentsProps): JSX.Element {
  const [open, setOpen] = createSignal(false);
  return (
    <>
      <details
        class="rounded-card border border-border lg:hidden"
        open={open()}
        onToggle={(event) => setOpen(event.currentTarget.open)}
      >
        <summary class="px-4 py-2.5 font-medium">Contents</summary>
        <div class="border-t border-border p-4">
          <PageList current={props.current} onChoose={() => setOpen(false)} />
        </div>
      </details>
      <div class="max-lg:hidden">
        <PageList current={props.current} />
      </div>
    </>
  );
}

function PageList(props: ContentsProps & { onChoose?: () => void }): JSX.Element {
  return (
    <nav aria-label="Contents" class="flex flex-col gap-4">
      <For each={docGroups}>
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
