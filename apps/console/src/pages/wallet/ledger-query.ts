// The view of the ledger: type, days and page, all in the address, so that a reload or a shared link shows
// the same.
import type { Inputs } from "../../lib/api.ts";
import { isDay, nextDay, startOfDay } from "../../lib/format.ts";
import { namesOf } from "../../lib/names-of.ts";
import { omitEmpty } from "../../lib/omit-empty.ts";
import { useTimeZone } from "../../lib/session.ts";
import { type Field, oneOf, text, useAddress } from "../../lib/use-address.ts";
import { typeNames } from "./ledger-columns.tsx";

/** First and last day shown, in the reader's zone. */
const day: Field<string> = {
  read: (param, name) => (isDay(param(name)) ? param(name) : ""),
  write: text.write,
};

const fields = { type: oneOf("", namesOf(typeNames)), from: day, to: day, cursor: text };

export type LedgerView = ReturnType<typeof useLedgerQuery>;

export function useLedgerQuery() {
  const { get, set, narrowedBy } = useAddress(fields);
  const timeZone = useTimeZone();
  const instantOf = (of: string) => startOfDay(of, timeZone())?.toISOString();
  return {
    get,
    timeZone,
    /** As the API takes it, without the page. */
    input: (): Inputs["wallet"]["ledgerCsv"] => ({
      timeZone: timeZone(),
      ...omitEmpty({
        type: get("type"),
        from: instantOf(get("from")),
        to: get("to") === "" ? undefined : instantOf(nextDay(get("to"))),
      }),
    }),
    ...narrowedBy(["type", "from", "to"], ["cursor"]),
    /** A changed filter starts at the first page. */
    filter: (change: Parameters<typeof set>[0]) => set({ ...change, cursor: "" }),
    turnTo: (cursor: string) => set({ cursor }, { scroll: false }),
  };
}
