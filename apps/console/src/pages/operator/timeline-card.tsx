// Everything that happened in an account, newest first, page by page.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { type Answers, api, type Inputs } from "../../lib/api.ts";
import { Money } from "../../ui/figures/figures.tsx";
import { choicesOf, SelectControl } from "../../ui/forms/choices.tsx";
import { textColumn, timeColumn } from "../../ui/tables/columns.tsx";
import { PagedCard } from "../../ui/tables/paged-card.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { deskKey } from "./use-operator.ts";

const timelineNames = {
  call: "Calls",
  money: "Money",
  session: "Sign-ins",
  mail: "Mails",
  audit: "Audit log",
} as const;

type Happened = Answers["operator"]["account"]["timeline"]["rows"][number];
type Kind = NonNullable<Inputs["operator"]["account"]["timeline"]["kinds"]>[number];

const kinds = choicesOf<Kind | "">({ "": "Everything", ...timelineNames });

const columns: readonly Column<Happened>[] = [
  {
    ...timeColumn<Happened>("at", "When", ({ at }) => at, { absolute: "second" }),
    under: ({ kind }) => <span class="text-xs text-muted">{timelineNames[kind]}</span>,
  },
  textColumn("title", "What", ({ what, detail, generationId }) => (
    <>
      <Show when={generationId} fallback={what}>
        {(id) => <A href={`/operator/requests/${id()}`}>{what || id()}</A>}
      </Show>
      <p class="text-muted empty:hidden">{detail}</p>
    </>
  )),
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
    <PagedCard
      title="Timeline"
      cards="compact"
      controls={
        <SelectControl label="Show" small value={kind()} onChange={setKind} choices={kinds} />
      }
      queryKey={[...deskKey, "timeline", props.accountId, kind()]}
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
  );
}
