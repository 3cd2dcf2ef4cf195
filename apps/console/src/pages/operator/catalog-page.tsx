// The catalog at the operator's desk: edited as text, checked and compared while one types, applied with a reason.
import { createTRPCClient, httpLink } from "@trpc/client";
import type { AppRouter } from "@turnpike/api";
import type { JSX } from "solid-js";
import { createEffect, createSignal, lazy, on, onCleanup, Show, Suspense } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { loadOnce } from "../../lib/load-once.ts";
import { stepUpLink } from "../../lib/step-up/step-up-link.ts";
import { useQuery } from "../../lib/use-query.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { LeaveGuard } from "../../ui/dialogs/leave-guard.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
import { AskButton } from "./ask.tsx";
import { type AskedAction, askAction } from "./ask-action.ts";
import { ChangesCard, describeMistake, PricesCard, VersionsCard } from "./catalog-cards.tsx";
import { OperatorFrame } from "./operator-frame.tsx";
import { deskKey, useOperatorMay } from "./use-operator.ts";

type Shown = Answers["operator"]["catalog"]["show"];

const pauseMs = 400;

// Larger than everything else on the page, and nobody but an owner needs it.
const CatalogEditor = lazy(loadOnce(() => import("./catalog-editor.tsx")));

/** For the text of a catalog, which is too long for an address: a query is sent as a POST, on its own. */
const catalogApi = createTRPCClient<AppRouter>({
  links: [stepUpLink, httpLink({ url: "/trpc", methodOverride: "POST" })],
}).operator.catalog;

export default function CatalogPage(): JSX.Element {
  const may = useOperatorMay();
  const isOwner = () => may("catalog.edit");
  const query = useQuery(() => ({
    queryKey: [...deskKey, "catalog"],
    queryFn: ({ signal }) => api.operator.catalog.show.query({}, { signal }),
    enabled: isOwner(),
    refetchOnWindowFocus: false,
  }));
  return (
    <OperatorFrame>
      <Show when={isOwner()}>
        <Loaded query={query} what="the catalog">
          {(shown) => (
            <>
              <Editor of={shown()} />
              <VersionsCard texts={shown().texts} />
            </>
          )}
        </Loaded>
      </Show>
      <PricesCard />
    </OperatorFrame>
  );
}

function Editor(props: { of: Shown }): JSX.Element {
  const [text, setText] = createSignal(props.of.text);
  const [checked, setChecked] = createSignal(props.of.text);
  // Applied here or by somebody else: the editor shows it.
  createEffect(
    on(
      () => props.of.id,
      () => setText(props.of.text),
      { defer: true },
    ),
  );
  createEffect(() => {
    const typed = text();
    const timer = setTimeout(() => setChecked(typed), pauseMs);
    onCleanup(() => clearTimeout(timer));
  });
  const isChanged = () => text() !== props.of.text;
  const compared = useQuery(() => ({
    queryKey: [...deskKey, "catalog", "compare", checked()],
    queryFn: ({ signal }) => catalogApi.compare.query({ text: checked() }, { signal }),
    enabled: checked() !== props.of.text,
    gcTime: 0,
  }));
  const mistakes = () =>
    checked() === text() && isChanged()
      ? (compared.data?.mistakes ?? []).map((one) => ({
          line: one.line,
          message: describeMistake(one),
        }))
      : [];
  const isRight = () =>
    checked() === text() && compared.data !== undefined && compared.data.mistakes.length === 0;
  return (
    <>
      <LeaveGuard dirty={isChanged()} />
      <Card
        title="Catalog"
        description={
          props.of.isEdited
            ? "In force: what was applied here, instead of the files of the servers."
            : "In force: the file of each server. What you apply here replaces it on all of them."
        }
        actions={
          <Show when={props.of.isEdited}>
            <AskButton verb="catalog.release" action={() => releaseAction}>
              Return to the files…
            </AskButton>
          </Show>
        }
      >
        <div class="flex flex-col gap-4">
          <Suspense fallback={<div class="h-[min(70vh,48rem)]" />}>
            <CatalogEditor
              label="Text of the catalog"
              hint="Name the keys of providers by their variables, as the text in force does: they stay in the environment of the servers."
              value={text()}
              onInput={setText}
              mistakes={mistakes()}
            />
          </Suspense>
          <div class="flex flex-wrap gap-2">
            <Button
              variant="primary"
              changes
              disabled={!isChanged() || !isRight()}
              onClick={() => askAction(editAction(text(), props.of.id))}
            >
              Apply…
            </Button>
            <Show when={isChanged()}>
              <Button onClick={() => setText(props.of.text)}>Discard changes</Button>
            </Show>
          </div>
        </div>
      </Card>
      <Show when={isChanged()}>
        <ChangesCard changes={checked() === text() ? compared.data : undefined} />
      </Show>
    </>
  );
}

function editAction(text: string, basedOn: number): AskedAction {
  return {
    title: "Apply this catalog?",
    body: "Every server uses it within seconds. Calls that have begun go on.",
    confirmLabel: "Apply",
    run: ({ reason }) => catalogApi.edit.mutate({ text, basedOn, reason }),
  };
}

const releaseAction: AskedAction = {
  title: "Return to the files of the servers?",
  body: "Each server reads its CATALOG_FILE again. They must be the same.",
  confirmLabel: "Return",
  run: ({ reason }) => api.operator.catalog.release.mutate({ reason }),
};
