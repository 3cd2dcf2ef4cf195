// Everything that happened in an account, newest first, page by page.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { type Answers, api, type Inputs } from "../../lib/api.ts";
import { Card } from "../../ui/card.tsx";
import { SelectControl } from "../../ui/choices.tsx";
import { Money, Time } from "../../ui/figures.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import type { Column } from "../../ui/table.tsx";

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
  const filter = () => {
    const chosen = kind();
    return chosen === "" ? {} : { kinds: [chosen] };
  };
  return (
    <Card
      title="Timeline"
      flush
      actions={
        <SelectControl
          label="Show"
          small
          value={kind()}
          onChange={(value) => setKind(kinds.find((known) => known === value) ?? "")}
          choices={[
            { value: "", label: "Everything" },
            ...kinds.map((value) => ({ value, label: timelineNames[value] })),
          ]}
        />
      }
    >
      <PagedTable
        queryKey={["operator", "timeline", props.accountId, kind()]}
        load={async (page, call) => {
          const { accountId: account } = props;
          const { rows, next } = await api.operator.account.timeline.query(
            { account, ...filter(), ...page },
            call,
          );
          return { rows, nextCursor: next };
        }}
        what="the timeline"
        empty="Nothing happened yet."
        caption="What happened in the account"
        columns={columns}
      />
    </Card>
  );
}
