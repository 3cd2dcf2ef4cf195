// The view of the ledger: type, days and page, all in the address, so that a reload or a shared link shows
// the same.
import { useSearchParams } from "@solidjs/router";
import type { Inputs } from "../../lib/api.ts";
import { isDay, nextDay, startOfDay } from "../../lib/format.ts";
import { useTimeZone } from "../../lib/session.ts";

export const ledgerTypes = ["top_up", "usage", "refund", "dispute", "adjustment"] as const;
export type LedgerType = (typeof ledgerTypes)[number];

type Params = { type?: string; from?: string; to?: string; cursor?: string };

export type LedgerFilters = {
  readonly type: LedgerType | undefined;
  /** First and last day shown, in the reader's zone. */
  readonly from: string | undefined;
  readonly to: string | undefined;
};

export function useLedgerQuery() {
  const [search, setSearch] = useSearchParams<Params>();
  const timeZone = useTimeZone();
  const filters = (): LedgerFilters => ({
    type: ledgerTypes.find((known) => known === search.type),
    from: dayOrNone(search.from),
    to: dayOrNone(search.to),
  });
  return {
    filters,
    timeZone,
    cursor: () => search.cursor,
    /** As the API takes it, without the page. */
    input: () => ledgerInput(filters(), timeZone()),
    isFiltered: () => Object.values(filters()).some((value) => value !== undefined),
    /** A changed filter starts at the first page. */
    filter: (change: Partial<Record<keyof LedgerFilters, string>>) =>
      setSearch({ ...blankAsNone(change), cursor: undefined }),
    clear: () => setSearch({ type: undefined, from: undefined, to: undefined, cursor: undefined }),
    turnTo: (cursor: string | undefined) => setSearch({ cursor }, { scroll: false }),
  };
}

export function ledgerInput(
  { type, from, to }: LedgerFilters,
  timeZone: string,
): Inputs["wallet"]["ledgerCsv"] {
  const since = from === undefined ? undefined : startOfDay(from, timeZone);
  const until = to === undefined ? undefined : startOfDay(nextDay(to), timeZone);
  return {
    timeZone,
    ...(type !== undefined && { type }),
    ...(since && { from: since.toISOString() }),
    ...(until && { to: until.toISOString() }),
  };
}

function dayOrNone(text: string | undefined): string | undefined {
  return text !== undefined && isDay(text) ? text : undefined;
}

function blankAsNone(change: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(change).map(([name, value]) => [name, value === "" ? undefined : value]),
  );
}
