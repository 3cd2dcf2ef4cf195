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
import { given } from "../../lib/given.ts";
import { useMay } from "../../lib/session.ts";
import { useQuery } from "../../lib/use-query.ts";
import { Asked } from "../../ui/asked.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { DownloadButton } from "../../ui/download-button.tsx";
import { Wallet } from "../../ui/icons.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { ledgerColumns, linkOf } from "./ledger-columns.tsx";
import { LedgerFilterBar } from "./ledger-filters.tsx";
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
      api.wallet.ledger.query({ ...view.input(), ...given({ cursor: cursor() }) }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.rows.some((row) => row.pending || row.usage?.open) ? changingMs : liveMs,
  }));
  const isEmpty = () => !view.isFiltered() && !cursor() && query.data?.rows.length === 0;
  return (
    <Card
      title="Transactions"
      actions={
        <Show when={!isEmpty()}>
          <Asked as="download-transactions">
            <CsvButton view={view} />
          </Asked>
        </Show>
      }
      flush
    >
      <Loaded query={query} what="your transactions">
        {(page) => <Ledger page={page()} view={view} busy={query.isPlaceholderData} />}
      </Loaded>
    </Card>
  );
}

type LedgerProps = { page: Page; view: LedgerView; busy: boolean };

function Ledger(props: LedgerProps): JSX.Element {
  const { view } = props;
  const mayReadLogs = useMay("logs.read");
  const columns = ledgerColumns(view.timeZone);
  const hasRows = () => props.page.rows.length > 0;
  return (
    <Show
      when={hasRows() || view.isFiltered() || view.get("cursor")}
      fallback={
        <EmptyState
          title="No transactions yet."
          icon={<Wallet class="size-5" />}
          link={
            <A href="/docs/billing" class="link">
              How billing works
            </A>
          }
        />
      }
    >
      <LedgerFilterBar view={view} />
      <Show
        when={hasRows()}
        fallback={
          <EmptyState
            title="No transactions match."
            action={<Button onClick={view.clear}>Clear filters</Button>}
          />
        }
      >
        <Table
          caption="Your transactions, newest first"
          columns={columns}
          rows={props.page.rows}
          rowKey={(row) => row.id}
          rowHref={(row) => linkOf(row, mayReadLogs())}
          busy={props.busy}
        />
        <LedgerPages page={props.page} view={view} />
      </Show>
    </Show>
  );
}

function LedgerPages(props: Pick<LedgerProps, "page" | "view">): JSX.Element {
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
