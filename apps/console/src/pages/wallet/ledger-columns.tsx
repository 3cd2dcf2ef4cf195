// The columns of the ledger, in everyday terms.
import { compareDecimals, type LedgerType } from "@turnpike/terms";
import type { Accessor, JSX } from "solid-js";
import { Show } from "solid-js";
import type { Answers } from "../../lib/api.ts";
import { decimalsOfSums, formatClock, formatDate } from "../../lib/format.ts";
import { counted } from "../../lib/plural.ts";
import { Money, Time } from "../../ui/figures/figures.tsx";
import { StatusPill } from "../../ui/figures/status-pill.tsx";
import { ExternalLink } from "../../ui/icons.ts";
import type { Column } from "../../ui/tables/table.tsx";

export const typeNames = {
  top_up: "Top-up",
  usage: "Usage",
  refund: "Refund",
  dispute: "Dispute",
  adjustment: "Adjustment",
} as const satisfies Record<LedgerType, string>;

export type LedgerRow = Answers["wallet"]["ledger"]["rows"][number];

type UsageLine = NonNullable<LedgerRow["usage"]>;

export function ledgerColumns(timeZone: Accessor<string>): readonly Column<LedgerRow>[] {
  const decimals = (rows: readonly LedgerRow[]) => decimalsOfSums(rows.map((row) => row.amountUsd));
  return [
    {
      id: "date",
      title: "Date",
      cell: (row) => <When of={row} timeZone={timeZone()} />,
      class: "whitespace-nowrap",
    },
    { id: "type", title: "Type", cell: (row) => typeNames[row.type], class: "whitespace-nowrap" },
    {
      id: "description",
      title: "Description",
      cell: (row) => <Description of={row} timeZone={timeZone()} />,
    },
    {
      id: "amount",
      title: "Amount",
      align: "end",
      decimals,
      cell: (row, decimals) => (
        <span classList={{ "text-muted": row.pending }}>
          <Money usd={row.amountUsd} kind="signed" decimals={decimals()} />
        </span>
      ),
    },
    {
      id: "after",
      title: "Balance after",
      align: "end",
      decimals,
      cell: (row, decimals) => (
        <Show when={row.balanceAfterUsd} fallback={<span class="text-muted">—</span>}>
          {(usd) => <Money usd={usd()} kind="balance" decimals={decimals()} />}
        </Show>
      ),
    },
  ];
}

type CellProps = { of: LedgerRow; timeZone: string };

/** Usage has a day; its hour is part of its description. */
function When(props: CellProps): JSX.Element {
  return (
    <Show when={dayOfUsage(props)} fallback={<Time at={props.of.at} absolute />}>
      {(day) => (
        <time datetime={day().datetime} class="figures">
          {day().text}
        </time>
      )}
    </Show>
  );
}

function dayOfUsage({ of: { day, usage }, timeZone }: CellProps) {
  if (usage !== null) {
    return { datetime: usage.from, text: formatDate(new Date(usage.from), timeZone) };
  }
  if (day === null) return undefined;
  return { datetime: day, text: formatDate(new Date(`${day}T00:00:00Z`), "UTC") };
}

function Description(props: CellProps): JSX.Element {
  const text = () => describe(props.of, props.timeZone);
  return (
    <span class="inline-flex flex-wrap items-center gap-x-3 gap-y-1 wrap-anywhere">
      <span class="figures">{text()}</span>
      <Show when={props.of.usage?.open}>
        <StatusPill tone="info">Running</StatusPill>
      </Show>
      <Show when={props.of.pending}>
        <StatusPill tone="warning">Pending</StatusPill>
      </Show>
      <Show when={props.of.receiptUrl}>
        {(url) => (
          <a
            href={url()}
            target="_blank"
            rel="noopener noreferrer"
            class="link inline-flex items-center gap-1"
            aria-label={`Receipt of ${formatDate(new Date(props.of.at), "UTC")}, opens in a new tab`}
          >
            Receipt
            <ExternalLink class="size-3.5" aria-hidden="true" />
          </a>
        )}
      </Show>
    </span>
  );
}

/** A top-up opens its page, an hour of usage its requests, for roles that may read them. */
export function linkOf({ topUpId, usage }: LedgerRow, mayReadLogs: boolean): string | undefined {
  if (topUpId !== null) return `/wallet/top-ups/${topUpId}`;
  if (usage === null || !mayReadLogs) return undefined;
  const { keyId, from, to } = usage;
  const payer = keyId === null ? { origin: "playground" } : { keys: keyId };
  return `/logs?${new URLSearchParams({ from, to, ...payer })}`;
}

function describeHour({ keyName, from, to, calls }: UsageLine, timeZone: string): string {
  const [begin, end] = [from, to].map((at) => formatClock(new Date(at), timeZone));
  return `${keyName ?? "Playground"} · ${begin}–${end} · ${counted(calls, "request")}`;
}

/** The ledger's own texts are for operators; only an adjustment has a reason meant for its owner. */
export function describe(row: LedgerRow, timeZone: string): string {
  const isBack = compareDecimals(row.amountUsd, "0") > 0;
  switch (row.type) {
    case "top_up":
      return row.pending ? "Payment pending" : "Payment";
    case "usage":
      return row.usage === null ? "API usage" : describeHour(row.usage, timeZone);
    case "refund":
      return isBack ? "Refund reversed" : "Refunded to your card";
    case "dispute":
      return isBack ? "Dispute resolved, funds returned" : "Payment disputed with the bank";
    case "adjustment":
      return row.description || "Adjustment";
  }
}
