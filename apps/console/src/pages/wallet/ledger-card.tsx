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
import { useQuery } from "../../lib/use-query.ts";
import { Asked } from "../../ui/asked.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Wallet } from "../../ui/icons.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { useChange } from "../../ui/use-change.ts";
import { ledgerColumns, linkOf } from "./ledger-columns.tsx";
import { LedgerFilterBar } from "./ledger-filters.tsx";
import { useLedgerQuery } from "./ledger-query.ts";

type Page = Answers["wallet"]["ledger"];
type Shown = ReturnType<typeof useLedgerQuery>;

const liveMs = 30_000;
/** While a row is pending. */
const changingMs = 5_000;

export function LedgerCard(): JSX.Element {
  const shown = useLedgerQuery();
  const query = useQuery(() => ({
    queryKey: ["wallet", "ledger", shown.input(), shown.cursor() ?? ""],
    queryFn: ({ signal }) => {
      const cursor = shown.cursor();
      return api.wallet.ledger.query({ ...shown.input(), ...(cursor && { cursor }) }, { signal });
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.rows.some((row) => row.pending || row.usage?.open) ? changingMs : liveMs,
  }));
  const isEmpty = () => !shown.isFiltered() && !shown.cursor() && query.data?.rows.length === 0;
  return (
    <Card
      title="Transactions"
      actions={
        <Show when={!isEmpty()}>
          <Asked as="download-transactions">
            <CsvButton shown={shown} />
          </Asked>
        </Show>
      }
      flush
    >
      <Loaded query={query} what="your transactions">
        {(page) => <Ledger page={page()} shown={shown} busy={query.isPlaceholderData} />}
      </Loaded>
    </Card>
  );
}

type LedgerProps = { page: Page; shown: Shown; busy: boolean };

function Ledger(props: LedgerProps): JSX.Element {
  const { shown } = props;
  const columns = ledgerColumns(shown.timeZone);
  const hasRows = () => props.page.rows.length > 0;
  return (
    <Show
      when={hasRows() || shown.isFiltered() || shown.cursor() !== undefined}
      fallback={
        <EmptyState
          title="No transactions yet. Add funds to start."
          icon={<Wallet class="size-5" />}
          action={
            <ButtonLink href="/wallet?do=add-funds" variant="primary">
              Add funds
            </ButtonLink>
          }
          link={
            <A href="/docs/billing" class="link">
              How billing works
            </A>
          }
        />
      }
    >
      <LedgerFilterBar shown={shown} />
      <Show
        when={hasRows()}
        fallback={
          <EmptyState
            title="No transactions match."
            action={<Button onClick={shown.clear}>Clear filters</Button>}
          />
        }
      >
        <Table
          caption="Your transactions, newest first"
          columns={columns}
          rows={props.page.rows}
          rowKey={(row) => row.id}
          rowHref={linkOf}
          busy={props.busy}
        />
        <LedgerPages page={props.page} shown={shown} />
      </Show>
    </Show>
  );
}

function LedgerPages(props: { page: Page; shown: Shown }): JSX.Element {
  return (
    <nav
      aria-label="Pages of transactions"
      class="flex flex-wrap items-center justify-between gap-2 border-t border-border px-5 py-2.5"
    >
      <p class="text-sm text-muted">Times are in {props.shown.timeZone()}.</p>
      <div class="flex gap-2">
        <Show when={props.shown.cursor() !== undefined}>
          <Button size="small" onClick={() => props.shown.turnTo(undefined)}>
            Newest
          </Button>
        </Show>
        <Show when={props.page.nextCursor}>
          {(cursor) => (
            <Button size="small" onClick={() => props.shown.turnTo(cursor())}>
              Older
            </Button>
          )}
        </Show>
      </div>
    </nav>
  );
}

/** Everything that matches the filters, not only this page. */
function CsvButton(props: { shown: Shown }): JSX.Element {
  const make = useChange(() => api.wallet.ledgerCsv.query(props.shown.input()), {
    onDone: ({ csv }) =>
      downloadFile(`transactions-${dayOf(new Date(), props.shown.timeZone())}.csv`, csv),
  });
  return (
    <Button
      size="small"
      pending={make.isPending}
      pendingLabel="Preparing…"
      onClick={() => make.mutate()}
    >
      Download CSV
    </Button>
  );
}
