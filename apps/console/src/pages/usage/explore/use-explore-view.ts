// What Explore shows, all of it in the address: the range and filters of Usage, a measure and two dimensions. So every
// view can be shared and saved as a link.
import type { Inputs } from "../../../lib/api.ts";
import { oneOf, sortBy, useAddress } from "../../../lib/use-address.ts";
import { narrowFields, useNarrowed } from "../use-usage-view.ts";
import { type Dimension, dimensions, measureNames } from "./dimensions.ts";

const exploreFields = {
  ...narrowFields,
  measure: oneOf("spend", measureNames),
  rows: oneOf("model", dimensions),
  columns: oneOf("", dimensions),
  // Without one, rows are in the server's order.
  sort: sortBy(/^(total|requests|c\d+)$/, undefined),
};

export type ExploreView = ReturnType<typeof useExploreView>;

export function useExploreView() {
  const address = useAddress(exploreFields);
  const narrowed = useNarrowed(address);
  const { get, set } = address;
  const rows = () => get("rows");
  const columns = () => {
    const chosen = get("columns");
    return chosen === "" || chosen === rows() ? undefined : chosen;
  };
  return {
    ...address,
    ...narrowed,
    measure: () => get("measure"),
    rows,
    columns,
    setRows: (chosen: Dimension) =>
      set({
        rows: chosen,
        // The two change places where one is chosen for both.
        ...(chosen === columns() && { columns: rows() }),
        sort: undefined,
      }),
    /** What is shown first. */
    key: () => [get("measure"), rows(), columns() ?? "", ...narrowed.narrowKey()],
    input: (now: Date): Inputs["usage"]["explore"] => {
      const across = columns();
      return {
        ...narrowed.narrowInput(now),
        measure: get("measure"),
        rows: rows(),
        ...(across && { columns: across }),
      };
    },
    forecastInput: (now: Date): Inputs["usage"]["forecast"] => {
      const { from: _, to: __, ...rest } = narrowed.narrowInput(now);
      return rest;
    },
  };
}
