// Every movement of money, newest first, with the balance after it; usage in one row per key and hour,
// the running hour included. Pending payments are marked and not counted, so that the amounts add up to
// the balance.
import { A } from "@solidjs/router";
import { keepPreviousData } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { downloadFile } from "../../lib/download-file.ts";
import { dayOf } from "../../lib/format.ts";
import { omitEmpty } from "../../lib/omit-empty.ts";
import { useMay } from "../../lib/session.ts";
import { useQuery } from "../../lib/use-query.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { DownloadButton } from "../../ui/buttons/download-button.tsx";
import { choicesOf } from "../../ui/forms/choices.tsx";
import { DayField } from "../../ui/forms/day-field.tsx";
import { Wallet } from "../../ui/icons.ts";
import { Asked } from "../../ui/layout/asked.tsx";
import { EmptyState } from "../../ui/states/states.tsx";
import { FilterBar, FilterSelect } from "../../ui/tables/filter-bar.tsx";
import { TableCard } from "../../ui/tables/table-card.tsx";
import { ledgerColumns, linkOf, typeNames } from "./ledger-columns.tsx";
import { type LedgerView, useLedgerQuery } from "./ledger-query.ts";

type Page = Answers["wallet"]["ledger"];

const liveMs = 30_000;
/** While a row is pending. */
const changingMs = 5_000;

export function LedgerCard(): JSX.Element {
  const view = useLedgerQuery();
  const cursor = () => view.get("cursor");
  const query = useQuery(() => ({
    queryKey: ["wallet", "ledger", view.input(), cursor()],
    queryFn: ({ signal }) =>
      api.wallet.ledger.query({ ...view.input(), ...omitEmpty({ cursor: cursor() }) }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.rows.some((row) => row.pending || row.usage?.open) ? changingMs : liveMs,
  }));
  const hasRows = () => (query.data?.rows.length ?? 0) > 0;
  const isEmpty = () =>
    view.filterCount() === 0 && !cursor() && query.data !== undefined && !hasRows();
  const mayReadLogs = useMay("logs.read");
  // A page may be past the last row.
  const narrowed = {
    filterCount: () => view.filterCount() + (cursor() === "" ? 0 : 1),
    clear: view.clear,
  };
  return (
    <TableCard
      title="Transactions"
      controls={
        <Show when={!isEmpty()}>
          <Asked as="download-transactions">
            <CsvButton view={view} />
          </Asked>
        </Show>
      }
      query={query}
      what="your transactions"
      empty={<NoTransactions />}
      filters={<LedgerFilterBar view={view} />}
      narrowed={narrowed}
      none="No transactions match."
      caption="Your transactions, newest first"
      columns={ledgerColumns(view.timeZone)}
      rows={({ rows }: Page) => rows}
      rowKey={(row) => row.id}
      rowHref={(row) => linkOf(row, mayReadLogs())}
      busy={query.isPlaceholderData}
      below={
        <Show when={hasRows() && query.data}>
          {(page) => <LedgerPages page={page()} view={view} />}
        </Show>
      }
    />
  );
}

function NoTransactions(): JSX.Element {
  return (
    <EmptyState
      title="No transactions yet."
      icon={<Wallet class="size-5" />}
      link={
        <A href="/docs/billing" class="link">
          How billing works
        </A>
      }
    />
  );
}

function LedgerPages(props: { page: Page; view: LedgerView }): JSX.Element {
  return (
    <nav
      aria-label="Pages of transactions"
      class="flex flex-wrap items-center justify-between gap-2 border-t border-border px-5 py-2.5"
    >
      <p class="text-sm text-muted">Times are in {props.view.timeZone()}.</p>
      <div class="flex gap-2">
        <Show when={props.view.get("cursor")}>
          <Button size="small" onClick={() => props.view.turnTo("")}>
            Newest
          </Button>
        </Show>
        <Show when={props.page.nextCursor}>
          {(cursor) => (
            <Button size="small" onClick={() => props.view.turnTo(cursor())}>
              Older
            </Button>
          )}
        </Show>
      </div>
    </nav>
  );
}

/** Everything that matches the filters, not only this page. */
function CsvButton(props: { view: LedgerView }): JSX.Element {
  const download = async () => {
    const { csv } = await api.wallet.ledgerCsv.query(props.view.input());
    downloadFile(`transactions-${dayOf(new Date(), props.view.timeZone())}.csv`, csv);
  };
  return (
    <DownloadButton size="small" download={download}>
      Download CSV
    </DownloadButton>
  );
}

function LedgerFilterBar(props: { view: LedgerView }): JSX.Element {
  const { get, filter } = props.view;
  return (
    <FilterBar narrowed={props.view} inCard>
      <FilterSelect
        label="Type"
        value={get("type")}
        onChange={(type) => filter({ type })}
        any="All types"
        choices={choicesOf(typeNames)}
      />
      <DayField
        label="From"
        value={get("from")}
        max={get("to")}
        onChange={(from) => filter({ from })}
      />
      <DayField label="To" value={get("to")} min={get("from")} onChange={(to) => filter({ to })} />
    </FilterBar>
  );
}
