import { expect, test } from "bun:test";
import { modelOf } from "../../../test/model.fixture.ts";
import { ratesOf } from "./switch-over.tsx";

test("a model that answers with embeddings has no price of an output", () => {
  expect(ratesOf(modelOf("acme/chat"))).toBe("$1.00 / 1M in, $10.00 / 1M out");
  expect(ratesOf(modelOf("acme/embed", { operation: "embeddings" }))).toBe("$1.00 / 1M in");
});
