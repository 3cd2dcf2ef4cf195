// What docs/request-fields.md says of a field in an API is what parsing a request with it does.
import { expect, test } from "bun:test";
import { apis } from "../protocol/languages.ts";
import { apiCell, type Outcome, outcomeOfCell } from "./api-cells.fixture.ts";
import { requestFields } from "./field-table.ts";
import { type Observed, observeField } from "./observe-field.fixture.ts";

/** Without a rate, what changes the price is refused by every model. */
function outcomeOf(observed: ReadonlySet<Observed>, hasRate: boolean): Outcome | undefined {
  if (observed.has("unknown")) return "unknown";
  if (observed.has("priced") && hasRate) return "priced";
  const isRefused = observed.has("refused") || observed.has("priced");
  if (isRefused) return observed.has("accepted") ? "neutral" : "refused";
  return observed.has("accepted") ? "accepted" : undefined;
}

test.each(apis)("each field in %s", (api) => {
  const wrong: string[] = [];
  for (const [name, field] of requestFields) {
    const cell = apiCell(api, name, field);
    const observed = outcomeOf(observeField(api, name), field.listed !== undefined);
    const said = outcomeOfCell(cell);
    const isMoved = cell.startsWith("as `") && observed === "unknown";
    if (said !== observed && !isMoved) wrong.push(`${name}: ${cell}, but ${observed}`);
  }
  expect(wrong).toEqual([]);
});
