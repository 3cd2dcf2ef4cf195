// A view in an address: what is invalid reads as the default, a default is not written, and the rest comes back.
import { expect, test } from "bun:test";
import { rangeField } from "./time-range.ts";
import { type Field, flag, list, oneOf, someOf, sortBy, text } from "./use-address.ts";

const from = "2026-11-20T00:00:00.000Z";
const to = "2026-11-22T00:00:00.000Z";
const byCost = { column: "cost", descending: true };

const row =
  <Value>(
    field: Field<Value>,
    invalid: string,
    otherwise: NoInfer<Value>,
    chosen: NoInfer<Value>,
  ) =>
  () => {
    const read = (params: Readonly<Record<string, string | undefined>>) =>
      field.read((name) => params[name] ?? "", "x");
    expect(read({})).toEqual(otherwise);
    expect(read({ x: invalid })).toEqual(otherwise);
    expect(Object.values(field.write(otherwise, "x")).filter(Boolean)).toEqual([]);
    expect(Object.values(field.write(chosen, "x")).filter(Boolean)).not.toEqual([]);
    expect(read(field.write(chosen, "x"))).toEqual(chosen);
  };

test.each([
  ["a text", row(text, "", "", "a, b")],
  ["one of several", row(oneOf("spend", ["tokens"]), "gone", "spend", "tokens")],
  ["a list", row(list, ",", [], ["a", "b"])],
  ["a list of known values", row(someOf(["app", "user"]), "gone", [], ["user", "app"])],
  ["what is off by default", row(flag(false), "0", false, true)],
  ["what is on by default", row(flag(true), "yes", true, false)],
  [
    "an order",
    row(sortBy(/^(cost|calls)$/, byCost), "name-up", byCost, { ...byCost, descending: false }),
  ],
  [
    "an order that is optional",
    row(sortBy(/^c\d+$/, undefined), "c", undefined, { ...byCost, column: "c3" }),
  ],
  ["a named range", row(rangeField, "", { name: "7d" }, { name: "30d" })],
  ["two instants", row(rangeField, "", { name: "7d" }, { name: "custom", from, to })],
])("%s is in the address as it was chosen, and its default is not", (_, check) => check());
