// A card with a table that grows by "Show more": each page is a query of its own, below the one before it.
import type { QueryKey } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createEffect, createMemo, createSignal, For, Show } from "solid-js";
import { createStableRows } from "../../lib/stable-rows.ts";
import { useQuery } from "../../lib/use-query.ts";
import { Button } from "../buttons/button.tsx";
import { Card } from "../layout/card.tsx";
import { TableStates, type TableStatesProps } from "./table-states.tsx";

type PagedCardProps<Row> = Omit<
  TableStatesProps<unknown, Row>,
  "rows" | "rowKey" | "query" | "above" | "below"
> & {
  title: string;
  /** One sentence under the title. */
  description?: JSX.Element;
  /** At the end of the title's row. */
  controls?: JSX.Element;
  /** Without the page; another key starts with the newest page. */
  queryKey: QueryKey;
  load: (
    page: { cursor?: string },
    call: { signal: AbortSignal },
  ) => Promise<{ rows: readonly Row[]; nextCursor: string | null }>;
  /** As in "Couldn't load {what}." */
  what: string;
  /** When a page asks again, by what it shows. */
  liveMs?: number | ((rows: readonly Row[]) => number);
  /** Below the card, once it is known how long it is. */
  children?: JSX.Element;
};

export function PagedCard<Row extends { readonly id: string }>(
  props: PagedCardProps<Row>,
): JSX.Element {
  const [turned, setTurned] = createSignal<{ key: string; cursors: readonly string[] }>();
  const key = createMemo(() => JSON.stringify(props.queryKey));
  /** Empty for the newest. */
  const cursors = () => ["", ...(turned()?.key === key() ? (turned()?.cursors ?? []) : [])];
  const [isShown, setIsShown] = createSignal(false);
  return (
    <>
      <Card title={props.title} description={props.description} actions={props.controls} flush>
        {props.filters}
        <For each={cursors()}>
          {(cursor) => (
            <Page
              {...props}
              cursor={cursor}
              isLast={cursor === cursors().at(-1)}
              onMore={(next) => setTurned({ key: key(), cursors: [...cursors().slice(1), next] })}
              onShown={() => setIsShown(true)}
            />
          )}
        </For>
      </Card>
      <Show when={isShown()}>{props.children}</Show>
    </>
  );
}

type PageProps<Row> = PagedCardProps<Row> & {
  cursor: string;
  isLast: boolean;
  onMore: (cursor: string) => void;
  onShown: () => void;
};

function Page<Row extends { readonly id: string }>(props: PageProps<Row>): JSX.Element {
  const query = useQuery(() => ({
    queryKey: [...props.queryKey, props.cursor],
    queryFn: ({ signal }) =>
      props.load(props.cursor === "" ? {} : { cursor: props.cursor }, { signal }),
    refetchInterval: ({ state: { data } }) => {
      const { liveMs = false } = props;
      return typeof liveMs === "function" ? liveMs(data?.rows ?? []) : liveMs;
    },
  }));
  const rows = createStableRows(() => query.data?.rows ?? []);
  createEffect(() => {
    if (!query.isPending) props.onShown();
  });
  const next = () => (props.isLast ? query.data?.nextCursor : undefined);
  return (
    <TableStates
      {...props}
      // Above all pages, and while they load.
      filters={null}
      query={query}
      rows={rows}
      rowKey={({ id }) => id}
      below={
        <Show when={next()}>
          {(cursor) => (
            <div class="border-t border-border p-3 text-center">
              <Button size="small" onClick={() => props.onMore(cursor())}>
                Show more
              </Button>
            </div>
          )}
        </Show>
      }
    />
  );
}
