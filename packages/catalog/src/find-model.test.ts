import { expect, test } from "bun:test";
import { Fault, newId, type PriceId } from "@turnpike/base";
import { sandboxModels } from "./file/sandbox-models.ts";
import { findModel } from "./find-model.ts";
import type { Catalog, Model } from "./model.ts";

function catalogOf(ids: readonly string[]): Catalog {
  const [entry] = sandboxModels("http://127.0.0.1:1/v1");
  if (!entry) throw new Error("there are no sandbox models");
  const price = {
    ...entry.rates,
    tiers: {},
    longPrompts: [],
    id: newId<PriceId>(),
    since: new Date(0),
  };
  return {
    version: "test",
    models: new Map(ids.map((id): [string, Model] => [id, { ...entry, id, price }])),
  };
}

const catalog = catalogOf([
  "openai/gpt-4o",
  "openai/gpt-4o-mini",
  "anthropic/claude-sonnet-4.5",
  "deepseek/deepseek-chat",
]);

function refusal(id: string): Fault {
  try {
    findModel(catalog, id);
  } catch (error) {
    if (error instanceof Fault) return error;
  }
  throw new Error(`${id} was not refused with a Fault`);
}

test("an exact id finds its model", () => {
  expect(findModel(catalog, "openai/gpt-4o-mini").id).toBe("openai/gpt-4o-mini");
});

test("a suffix that selects nothing here is named, and what does instead", () => {
  for (const suffix of [":online", ":free", ":thinking"]) {
    expect(refusal(`openai/gpt-4o${suffix}`).message).toBe(
      `The suffix \`${suffix}\` is not supported. Remove it, or use one of \`:floor\` and \`:nitro\`.`,
    );
  }
  expect(refusal("openai/none:online").message).toStartWith(
    "The model `openai/none:online` does not",
  );
});

test("case, spaces and versions are not guessed: another id is another model", () => {
  for (const id of ["OpenAI/gpt-4o", " openai/gpt-4o", "openai/gpt-4o:free", "__proto__", ""]) {
    expect(refusal(id).code).toBe("model_not_found");
  }
});

test("a typo is answered with the nearest id first", () => {
  expect(refusal("openai/gpt-4o-mni").message).toBe(
    "The model `openai/gpt-4o-mni` does not exist or you do not have access to it." +
      " Did you mean `openai/gpt-4o-mini`, `openai/gpt-4o`?",
  );
});

test("a model named without its vendor is found, even in the spelling of Anthropic's ids", () => {
  const sonnet = "anthropic/claude-sonnet-4.5";
  for (const id of ["claude-sonnet-4.5", "claude-sonnet-4-5", "claude-sonnet-4-5-20250929"]) {
    expect(findModel(catalog, id).id).toBe(sonnet);
  }
  expect(findModel(catalog, "gpt-4o").id).toBe("openai/gpt-4o");
  for (const id of ["claude-sonnet-4", "sonnet-4-5", "other/claude-sonnet-4.5"]) {
    expect(refusal(id).code).toBe("model_not_found");
  }
});

test("a snapshot's date, as OpenAI writes it, names the model of the catalog, with its vendor and without", () => {
  const sonnet = "anthropic/claude-sonnet-4.5";
  for (const id of ["claude-sonnet-4-5-2026-04-23", "anthropic/claude-sonnet-4.5-2026-04-23"]) {
    expect(findModel(catalog, id).id).toBe(sonnet);
  }
  for (const id of ["anthropic/claude-sonnet-4.5-2026-0423", "openai/claude-sonnet-4.5-20250929"]) {
    expect(() => findModel(catalog, id)).toThrow();
  }
});

test("a bare name that two vendors have is not guessed", () => {
  const twice = catalogOf(["a/model", "b/model"]);
  expect(() => findModel(twice, "model")).toThrow("Did you mean");
});

test("an id that is similar to no other is answered with where the models are listed", () => {
  expect(refusal("zzzzzzzzzzzz").message).toBe(
    "The model `zzzzzzzzzzzz` does not exist or you do not have access to it. GET /v1/models lists the models.",
  );
});

test("a very long id is shortened in the answer", () => {
  expect(refusal("x".repeat(1_000_000)).message.length).toBeLessThan(300);
});

test("the error names the parameter that the caller passes", () => {
  expect(() => findModel(catalog, "nope", { param: "model" })).toThrow(
    expect.objectContaining({ details: { param: "model" } }),
  );
});
