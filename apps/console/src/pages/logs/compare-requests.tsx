// Two requests side by side: which ones is in the address. Until the second is opened, a bar says that the first waits.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createMemo, createSignal, For, Show } from "solid-js";
import { useTimeZone } from "../../lib/session.ts";
import { LogStatus } from "../../product/usage/log-status.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { Time } from "../../ui/figures/figures.tsx";
import { Switch } from "../../ui/forms/choices.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
import { SkeletonRows } from "../../ui/states/skeleton.tsx";
import { EmptyState } from "../../ui/states/states.tsx";
import { compareGroups, groupsOf } from "./compare-facts.ts";
import { ComparedGroups } from "./compared-groups.tsx";
import { ComparedPrompts } from "./compared-prompts.tsx";
import { type LogDetail, useLogDetail } from "./use-log-detail.ts";
import type { LogsView } from "./use-logs-view.ts";

type Pair = { readonly first: string; readonly second: string };

export default function CompareRequests(props: { view: LogsView }): JSX.Element {
  const pair = createMemo((): Pair | undefined => {
    const [first, second] = [props.view.openId(), props.view.chosenId()];
    return first === undefined || second === undefined ? undefined : { first, second };
  });
  const open = createMemo(() => pair() !== undefined);
  return (
    <>
      <Show when={!open() && props.view.chosenId()}>
        {(chosen) => <WaitingBar id={chosen()} onEnd={props.view.endComparison} />}
      </Show>
      <Dialog
        open={open()}
        onOpenChange={(stays) => {
          if (!stays && open()) props.view.endComparison();
        }}
        title="Compare requests"
        shape="full"
      >
        <Show when={pair()} keyed>
          {(both) => (
            <Show
              when={both.first !== both.second}
              fallback={
                <EmptyState
                  title="This is the request that was chosen first."
                  action={<Button onClick={props.view.close}>Choose another</Button>}
                />
              }
            >
              <Both of={both} view={props.view} />
            </Show>
          )}
        </Show>
      </Dialog>
    </>
  );
}

function WaitingBar(props: { id: string; onEnd: () => void }): JSX.Element {
  return (
    <div class="sticky bottom-20 z-20 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center justify-center gap-x-3 gap-y-2 rounded-card border border-border bg-raised px-4 py-2.5 shadow-popover sm:bottom-4">
      <span role="status" class="min-w-0 text-sm wrap-anywhere">
        Open another request to compare it with{" "}
        <span translate="no" class="font-mono text-xs">
          {props.id}
        </span>
      </span>
      <Button size="small" variant="ghost" onClick={() => props.onEnd()}>
        Cancel
      </Button>
    </div>
  );
}

/** As high as most comparisons. */
function Waiting(): JSX.Element {
  return <SkeletonRows rows={24} />;
}

function Both(props: { of: Pair; view: LogsView }): JSX.Element {
  const first = useLogDetail(() => props.of.first);
  const second = useLogDetail(() => props.of.second);
  const missing = () => [
    ...(first.missing() ? [props.of.first] : []),
    ...(second.missing() ? [props.of.second] : []),
  ];
  return (
    <Show when={missing().length === 0} fallback={<NotFound ids={missing()} view={props.view} />}>
      <Loaded query={first.query} what="request A" skeleton={<Waiting />}>
        {(one) => (
          <Loaded query={second.query} what="request B" skeleton={<Waiting />}>
            {(other) => <Details first={one()} second={other()} view={props.view} />}
          </Loaded>
        )}
      </Loaded>
    </Show>
  );
}

function NotFound(props: { ids: readonly string[]; view: LogsView }): JSX.Element {
  const other = () =>
    [props.view.openId(), props.view.chosenId()].find(
      (id) => id !== undefined && !props.ids.includes(id),
    );
  return (
    <EmptyState
      title={
        props.ids.length > 1
          ? "Neither request was found. Check their IDs, or sign in to a different account."
          : "One of the two requests was not found. Check its ID, or sign in to a different account."
      }
      action={
        <Show when={other()}>
          {(id) => <Button onClick={() => props.view.choose(id())}>Choose another request</Button>}
        </Show>
      }
    >
      <ul
        translate="no"
        class="flex flex-col items-center gap-1 font-mono text-xs wrap-anywhere text-muted"
      >
        <For each={props.ids}>{(id) => <li>Not found: {id}</li>}</For>
      </ul>
    </EmptyState>
  );
}

type DetailsProps = { first: LogDetail; second: LogDetail; view: LogsView };

function Details(props: DetailsProps): JSX.Element {
  const timeZone = useTimeZone();
  const [onlyDifferences, setOnlyDifferences] = createSignal(false);
  const groups = createMemo(() =>
    compareGroups(groupsOf(props.first, timeZone()), groupsOf(props.second, timeZone())),
  );
  const rows = () => groups().flatMap((group) => group.rows);
  const different = () => rows().filter(({ differs }) => differs).length;
  return (
    <>
      <div class="grid gap-3 sm:grid-cols-2">
        <Head name="A" of={props.first} />
        <Head name="B" of={props.second} />
      </div>
      <div class="my-4 flex flex-wrap items-center gap-x-6 gap-y-2">
        <Switch
          label="Only differences"
          checked={onlyDifferences()}
          onChange={setOnlyDifferences}
        />
        <Button size="small" onClick={props.view.swap}>
          Swap A and B
        </Button>
        <p class="text-sm text-muted">
          {different()} of {rows().length} fields differ.
        </p>
      </div>
      <ComparedGroups
        caption="Two requests, field by field"
        groups={groups()}
        onlyDifferences={onlyDifferences()}
      />
      <ComparedPrompts
        first={props.first.id}
        second={props.second.id}
        onlyDifferences={onlyDifferences()}
      />
    </>
  );
}

function Head(props: { name: string; of: LogDetail }): JSX.Element {
  return (
    <section
      aria-label={`Request ${props.name}`}
      class="flex flex-col gap-1 rounded-card border border-border px-4 py-3"
    >
      <div class="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span class="font-semibold">{props.name}</span>
        <LogStatus of={props.of} />
        <span translate="no" class="font-medium wrap-anywhere">
          {props.of.model}
        </span>
        <Time at={props.of.at} absolute="millisecond" />
      </div>
      <A
        translate="no"
        href={`/logs?id=${props.of.id}`}
        class="link font-mono text-xs wrap-anywhere"
      >
        {props.of.id}
      </A>
    </section>
  );
}
