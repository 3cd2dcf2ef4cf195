// The columns of the ledger, in words people use for what moved their money.
import { A } from "@solidjs/router";
import type { Accessor, JSX } from "solid-js";
import { Show } from "solid-js";
import type { Answers } from "../api.ts";
import { compareDecimals, formatDate } from "../format.ts";
import { Money, Time } from "../ui/figures.tsx";
import { ExternalLink } from "../ui/icons.ts";
import { StatusPill } from "../ui/status-pill.tsx";
import type { Column } from "../ui/table.tsx";
import type { ShownRow } from "./running-balance.ts";
import { t } from "./texts.ts";

export type LedgerRow = Answers["wallet"]["ledger"]["rows"][number];

/** `shown`: the amounts as they stand on screen, by row id. */
export function ledgerColumns(
  shown: Accessor<ReadonlyMap<string, ShownRow>>,
): readonly Column<LedgerRow>[] {
  return [
    {
      id: "date",
      title: t("ledger.date"),
      cell: (row) => <When of={row} />,
      class: "whitespace-nowrap",
    },
    {
      id: "type",
      title: t("ledger.type"),
      cell: (row) => t(`type.${row.type}`),
      class: "whitespace-nowrap",
    },
    { id: "description", title: t("ledger.description"), cell: (row) => <Description of={row} /> },
    {
      id: "amount",
      title: t("ledger.amount"),
      align: "end",
      cell: (row) => (
        <span classList={{ "text-muted": row.pending }}>
          <Money usd={row.amountUsd} kind="signed" rounded={shown().get(row.id)?.amountUsd} />
        </span>
      ),
    },
    {
      id: "after",
      title: t("ledger.after"),
      align: "end",
      cell: (row) => (
        <Show when={row.balanceAfterUsd} fallback={<span class="text-muted">—</span>}>
          {(usd) => <Money usd={usd()} kind="balance" rounded={shown().get(row.id)?.balanceUsd} />}
        </Show>
      ),
    },
  ];
}

/** A day of usage has no time of day. */
function When(props: { of: LedgerRow }): JSX.Element {
  return (
    <Show when={props.of.day} fallback={<Time at={props.of.at} absolute />}>
      {(day) => (
        <time datetime={day()} class="figures">
          {formatDate(new Date(`${day()}T00:00:00Z`), "UTC")}
        </time>
      )}
    </Show>
  );
}

function Description(props: { of: LedgerRow }): JSX.Element {
  return (
    <span class="inline-flex flex-wrap items-center gap-x-3 gap-y-1 wrap-anywhere">
      <Show when={props.of.topUpId} fallback={describe(props.of)}>
        {(id) => (
          <A href={`/wallet/top-ups/${id()}`} class="link">
            {describe(props.of)}
          </A>
        )}
      </Show>
      <Show when={props.of.pending}>
        <StatusPill tone="warning">{t("ledger.pending")}</StatusPill>
      </Show>
      <Show when={props.of.receiptUrl}>
        {(url) => (
          <a
            href={url()}
            target="_blank"
            rel="noopener noreferrer"
            class="link inline-flex items-center gap-1"
            aria-label={t("ledger.receiptOf", { date: formatDate(new Date(props.of.at), "UTC") })}
          >
            {t("ledger.receipt")}
            <ExternalLink class="size-3.5" aria-hidden="true" />
          </a>
        )}
      </Show>
    </span>
  );
}

/** What the books say of it is for operators; only an adjustment has a reason meant for its owner. */
export function describe(row: LedgerRow): string {
  const isBack = compareDecimals(row.amountUsd, "0") > 0;
  switch (row.type) {
    case "top_up":
      return row.pending ? t("description.pendingTopUp") : t("description.topUp");
    case "usage":
      return t("description.usage");
    case "refund":
      return isBack ? t("description.refundBack") : t("description.refund");
    case "dispute":
      return isBack ? t("description.disputeBack") : t("description.dispute");
    case "adjustment":
      return row.description || t("description.adjustment");
  }
}
