import { expect, test } from "bun:test";
import { spreadOverLabs } from "./spread-over-labs.ts";

test("a short list of models begins with one of each lab, in the order of the catalog", () => {
  const models = ["a1", "a2", "a3", "b1", "c1", "c2"].map((id) => ({ id, lab: id.slice(0, 1) }));
  expect(spreadOverLabs(models).map(({ id }) => id)).toEqual(["a1", "b1", "c1", "a2", "c2", "a3"]);
  expect(spreadOverLabs([])).toEqual([]);
});
