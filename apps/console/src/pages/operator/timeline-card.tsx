// Everything that happened in an account, newest first, page by page.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createSignal, For, Show } from "solid-js";
import { type Answers, api, type Inputs } from "../../lib/api.ts";
import { useQuery } from "../../lib/use-query.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { SelectControl } from "../../ui/choices.tsx";
import { Money, Time } from "../../ui/figures.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";

const timelineNames = {
  call: "Calls",
  money: "Money",
  session: "Sign-ins",
  mail: "Mails",
  audit: "Audit log",
} as const;

type Happened = Answers["operator"]["account"]["timeline"]["rows"][number];
type Kind = NonNullable<Inputs["operator"]["account"]["timeline"]["kinds"]>[number];

const kinds: readonly Kind[] = ["call", "money", "session", "mail", "audit"];

const columns: readonly Column<Happened>[] = [
  { id: "at", title: "When", cell: ({ at }) => <Time at={at} absolute="second" inRow /> },
  {
    id: "kind",
    title: "Kind",
    cell: ({ kind }) => timelineNames[kind],
    class: "whitespace-nowrap",
  },
  {
    id: "title",
    title: "What",
    cell: ({ title, generationId }) => (
      <Show when={generationId} fallback={title}>
        {(id) => <A href={`/operator/requests/${id()}`}>{title || id()}</A>}
      </Show>
    ),
    class: "min-w-40 wrap-anywhere",
  },
  {
    id: "detail",
    title: "Detail",
    cell: ({ detail }) => detail,
    class: "wrap-anywhere text-muted",
  },
  {
    id: "amount",
    title: "Amount",
    cell: ({ amountUsd, kind }) => (
      <Show when={amountUsd}>
        {(usd) => <Money usd={usd()} kind={kind === "money" ? "signed" : "cost"} inRow />}
      </Show>
    ),
    align: "end",
  },
];

export function TimelineCard(props: { accountId: string }): JSX.Element {
  const [kind, setKind] = createSignal<Kind | "">("");
  const [cursors, setCursors] = createSignal<readonly string[]>([]);
  return (
    <Card
      title="Timeline"
      flush
      actions={
        <SelectControl
          label="Show"
          small
          value={kind()}
          onChange={(value) => {
            setCursors([]);
            setKind(kinds.find((known) => known === value) ?? "");
          }}
          choices={[
            { value: "", label: "Everything" },
            ...kinds.map((value) => ({ value, label: timelineNames[value] })),
          ]}
        />
      }
    >
      <For each={["", ...cursors()]}>
        {(cursor) => (
          <TimelineRows
            accountId={props.accountId}
            kind={kind()}
            cursor={cursor}
            isLast={cursor === (cursors().at(-1) ?? "")}
            onMore={(next) => setCursors([...cursors(), next])}
          />
        )}
      </For>
    </Card>
  );
}

type TimelineRowsProps = {
  accountId: string;
  kind: Kind | "";
  /** Empty for the newest. */
  cursor: string;
  isLast: boolean;
  onMore: (cursor: string) => void;
};

function TimelineRows(props: TimelineRowsProps): JSX.Element {
  const query = useQuery(() => ({
    queryKey: ["operator", "timeline", props.accountId, props.kind, props.cursor],
    queryFn: ({ signal }) =>
      api.operator.account.timeline.query(
        {
          account: props.accountId,
          ...(props.kind !== "" && { kinds: [props.kind] }),
          ...(props.cursor !== "" && { cursor: props.cursor }),
        },
        { signal },
      ),
  }));
  return (
    <Loaded query={query} what="the timeline">
      {(page) => (
        <Show when={page().rows.length > 0} fallback={<EmptyState title="Nothing happened yet." />}>
          <Table
            caption="What happened in the account"
            columns={columns}
            rows={page().rows}
            rowKey={({ id }) => id}
          />
          <Show when={props.isLast && page().next}>
            {(next) => (
              <div class="border-t border-border p-3 text-center">
                <Button size="small" onClick={() => props.onMore(next())}>
                  Show older
                </Button>
              </div>
            )}
          </Show>
        </Show>
      )}
    </Loaded>
  );
}
